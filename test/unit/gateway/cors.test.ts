import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cors } from '../../../gateway/http/cors.ts';
import { RequestHead } from '../../../gateway/http/request-head.ts';

function preflight(origin: string, headers = 'x-one, x-two'): RequestHead {
  const head = new RequestHead();
  head.take('origin', origin);
  head.take('access-control-request-method', 'PATCH');
  head.take('access-control-request-headers', headers);
  return head;
}

test('by default any page may read answers, and nothing varies by origin', () => {
  const cors = new Cors(['*']);

  assert.match(cors.lines('https://a.example'), /Access-Control-Allow-Origin: \*\r\n/);
  assert.doesNotMatch(cors.lines(''), /Vary/);
});

test('a list lets in its own origins and no other', () => {
  const cors = new Cors(['https://a.example', 'https://b.example']);

  assert.match(cors.lines('https://b.example'), /Access-Control-Allow-Origin: https:\/\/b\.example\r\n/);
  assert.doesNotMatch(cors.lines('https://evil.example'), /Allow-Origin/);
  assert.match(cors.lines('https://evil.example'), /Vary: Origin/);
});

test('a preflight of a page that is let in gets what it asks for', () => {
  const lines = new Cors(['https://a.example']).preflightLines(preflight('https://a.example'), 'GET, PATCH');

  assert.match(lines, /Access-Control-Allow-Headers: x-one, x-two/);
  assert.match(lines, /Access-Control-Allow-Methods: GET, PATCH/);
});

test('a preflight of another page is told the methods and granted nothing', () => {
  const lines = new Cors(['https://a.example']).preflightLines(preflight('https://evil.example'), 'GET, PATCH');

  assert.equal(lines, '\r\nAllow: GET, PATCH');
});

test('a list of headers that is none is not repeated', () => {
  const lines = new Cors(['*']).preflightLines(preflight('https://a.example', 'x\r\nSet-Cookie: a=b'), 'GET');

  assert.doesNotMatch(lines, /Set-Cookie/);
  assert.match(lines, /Access-Control-Allow-Headers: Authorization, /);
});
