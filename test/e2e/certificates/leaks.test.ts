import { expect, it } from 'vitest';
import { secretTexts } from './leaks.js';

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
