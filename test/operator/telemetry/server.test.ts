import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, serve } from '../../../operator/telemetry/server.js';

let server: Listening | undefined;
afterEach(() => server?.close());

const pages = {
  '/yes': { body: () => 'ok\n' },
  '/no': {
    body: () => {
      throw new Error('the caches are not filled yet');
    },
  },
  '/late': { contentType: 'text/x-late', body: () => Promise.resolve('late\n') },
};

describe('a page', () => {
  it.each([
    { code: 200, text: 'ok\n', path: '/yes' },
    { code: 200, text: 'ok\n', path: '/yes?verbose' },
    { code: 200, text: 'late\n', path: '/late' },
    { code: 503, text: 'the caches are not filled yet\n', path: '/no' },
    { code: 404, text: 'not found\n', path: '/other' },
    { code: 404, text: 'not found\n', path: '/constructor' },
  ])('R32 answers $code to $path', async ({ code, text, path }) => {
    server = await serve(0, pages);
    const response = await fetch(`http://localhost:${server.port}${path}`);
    expect([response.status, await response.text()]).toEqual([code, text]);
  });

  it('says of what type it is', async () => {
    server = await serve(0, pages);
    const response = await fetch(`http://localhost:${server.port}/late`);
    expect(response.headers.get('content-type')).toBe('text/x-late');
  });
});

describe('a server', () => {
  it('that cannot have its port says so', async () => {
    server = await serve(0, pages);
    await expect(serve(server.port, pages)).rejects.toThrow(
      `port ${server.port} is taken: free it, or set --health-port`,
    );
  });

  it('that is closed answers no more, whoever is connected', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = () => {
      asked();
      return new Promise<string>(() => {});
    };
    const closing = await serve(0, { ...pages, '/never': { body: never } });
    await fetch(`http://localhost:${closing.port}/yes`);
    const hanging = expect(fetch(`http://localhost:${closing.port}/never`)).rejects.toThrow();
    await isAsked;
    await closing.close();
    await hanging;
    await expect(fetch(`http://localhost:${closing.port}/yes`)).rejects.toThrow();
  });
});
