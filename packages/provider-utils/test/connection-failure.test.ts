import { expect, it } from 'vitest'
import { connectionFailure } from '../src/index.ts'

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })
const network = (reason: string) => ({ kind: 'network', reason })

it.each<[string, unknown, ReturnType<typeof connectionFailure> | object]>([
  [
    'no answer',
    new TypeError('fetch failed', { cause: coded('', 'UND_ERR_HEADERS_TIMEOUT') }),
    { kind: 'timeout' },
  ],
  ['an abort', new DOMException('This operation was aborted', 'AbortError'), { kind: 'timeout' }],
  ['an SDK that waited', new Error('Request timed out.'), { kind: 'timeout' }],
  ['no server', new TypeError('fetch failed', { cause: coded('', 'ECONNREFUSED') }), network('refused')],
  ['no such host', coded('getaddrinfo ENOTFOUND x', 'ENOTFOUND'), network('unknown-host')],
  ['no certificate', coded('self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'), network('insecure')],
  ['a reset', coded('read ECONNRESET', 'ECONNRESET'), network('broken')],
  ['a closed socket', coded('other side closed', 'UND_ERR_SOCKET'), network('broken')],
  ['a browser', new TypeError('Load failed'), network('broken')],
  ['a body that was cut', new SyntaxError('Unexpected end of JSON input'), network('broken')],
  ['a fault in the program', new TypeError("Cannot read properties of undefined (reading 'x')"), undefined],
  ['a wrong address', coded('Invalid URL', 'ERR_INVALID_URL'), undefined],
  ['no error at all', 'oops', undefined],
])('%s', (_name, error, expected) => {
  expect(connectionFailure(error)).toEqual(expected)
})
