import { expect, it } from 'vitest';
import { leaksIn, secretTexts } from './leaks.js';

const encoded = (text: string) => Buffer.from(text).toString('base64');
const line = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHq5NXhFADd';
const key = `-----BEGIN PRIVATE KEY-----\n${line}\nabcd\n-----END PRIVATE KEY-----\n`;

it.each([
  ['the lines of a key', { 'tls.key': encoded(key) }, [line, encoded(key)]],
  ['a password', { password: encoded('drowssap') }, ['drowssap', encoded('drowssap')]],
  ['no certificate', { 'tls.crt': encoded('-----BEGIN CERTIFICATE-----') }, []],
  ['no user name', { username: encoded('orders') }, []],
])('looks for %s', (_, data, expected) => {
  expect(secretTexts({ data })).toEqual(expected);
});

const secrets = [{ data: { 'tls.key': encoded(key) } }];

it.each([
  { where: 'a text has a line of a key', places: { log: `key: ${line}`, events: 'none' }, found: ['log'] },
  { where: 'a text has a key in base64', places: { log: 'none', events: encoded(key) }, found: ['events'] },
  { where: 'no text has a key', places: { log: 'none', events: 'none' }, found: [] },
])('finds $found if $where', ({ places, found }) => {
  expect(leaksIn(secrets, places)).toEqual(found);
});

it.each([
  { when: 'a text is empty', given: secrets, places: { log: ' ' }, error: /nothing was read from log/ },
  { when: 'there is no key', given: [], places: { log: 'none' }, error: /no Secret/ },
])('proves nothing if $when', ({ given, places, error }) => {
  expect(() => leaksIn(given, places)).toThrow(error);
});
