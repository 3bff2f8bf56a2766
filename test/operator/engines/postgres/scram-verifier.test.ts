import { describe, expect, it } from 'vitest';
import { scramVerifier } from '../../../../operator/engines/postgres/scram-verifier.js';

describe('line 7: the verifier of a password', () => {
  it('is the one that PostgreSQL itself makes of the password and the salt', async () => {
    // SELECT rolpassword FROM pg_authid after ALTER ROLE … PASSWORD 'pencil', in PostgreSQL 15
    const stored =
      'SCRAM-SHA-256$4096:R6LQH3yankJGz/Mw7af2jA==$n7GQi3lTb9n7/wMcKkuFwK7NTSmne8DNRdpWXfP0wdE=:Q1B3SXhnji3n2j/HLeK10qUTClwYXbJJSuYIn8VyC84=';
    const salt = Buffer.from(/:([^$]+)\$/.exec(stored)?.[1] ?? '', 'base64');
    expect(await scramVerifier('pencil', salt)).toBe(stored);
  });

  it('differs each time', async () => {
    expect(await scramVerifier('pencil')).not.toBe(await scramVerifier('pencil'));
  });
});
