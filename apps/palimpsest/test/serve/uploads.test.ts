import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { startTestService } from './test-service.ts'

/** All that a server says to a client that sends a byte now and then or nothing more, until the server closes the connection. */
function dripped(port: number, head: string, more = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const drip = setInterval(() => socket.write(more), 20)
  onTestFinished(() => {
    clearInterval(drip)
    socket.destroy()
  })
  return new Promise((resolve) => {
    let said = ''
    socket.on('data', (bytes) => {
      said += bytes
    })
    // Bytes that arrive behind the answer are a reset.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(said)
    })
    socket.write(head)
  })
}

it.each([
  ['/query', 'transfer-encoding: chunked', '408', 'upload-slow'],
  ['/v1/chat/completions', 'content-length: 100000', '408', 'upload_slow'],
  ['/v1/embeddings', 'content-length: 100000', '408', 'upload_slow'],
])('a body to %s that comes byte by byte (%s) is not waited for', async (path, length, status, code) => {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const service = await startTestService({ upstream: upstream.baseUrl, limits: { timeLimit: 300 } })
  const host = `host: 127.0.0.1\r\ncontent-type: application/json\r\n${length}\r\n\r\n`
  const more = length.includes('chunked') ? '1\r\nx\r\n' : 'x'
  const said = await dripped(Number(new URL(service.url).port), `POST ${path} HTTP/1.1\r\n${host}`, more)
  expect(said).toContain(`HTTP/1.1 ${status} `)
  expect(said).toContain(code)
  expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

it.each([
  ['', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: '],
  ['x', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: '],
  ['', 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-a: b\r\n'],
  ['', 'POST /v1/chat'],
])('headers that stop or come byte by byte (%o) are not waited for: %o', async (more, head) => {
  const service = await startTestService({ limits: { headerLimit: 300 } })
  const said = await dripped(Number(new URL(service.url).port), head, more)
  expect(said).toMatch(/^HTTP\/1\.1 408 /)
})

it('a body that stops and that nothing reads does not keep its connection', async () => {
  const service = await startTestService({ limits: { headerLimit: 300, timeLimit: 300 } })
  const head = 'POST /query HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf'
  expect(await dripped(Number(new URL(service.url).port), head)).toMatch(/^HTTP\/1\.1 415 /)
})
