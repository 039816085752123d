import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isLoopback } from '../../src/serve/http/guards.ts'
import { runCli } from '../run-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

it('asks for the token, and for nothing else on /health', async () => {
  const token = 'correct horse'
  const service = await startTestService({ token, headers: { authorization: `Bearer ${token}` } })
  expect((await service.post('/query', { query: 'q' })).status).toBe(200)
  for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${token}`, `bearer ${token} `, token]) {
    const { status, body, headers } = await service.post(
      '/query',
      { query: 'q' },
      { headers: { authorization } },
    )
    expect([authorization, status, body.error.code]).toEqual([authorization, 401, 'unauthorized'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  }
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(401)
  expect((await service.get('/health', { headers: { authorization: '' } })).status).toBe(200)
  expect(service.log.join()).not.toContain('horse')
})

it('does not listen where others can reach it without a token', async () => {
  await expect(startTestService({ host: '0.0.0.0' })).rejects.toThrow(/set a token in PALIMPSEST_TOKEN/)
  const headers = { authorization: 'Bearer t' }
  const service = await startTestService({ host: '0.0.0.0', token: 't', headers })
  expect((await service.post('/query', { query: 'q' })).status).toBe(200)

  const folder = await temporaryFolder()
  const refused = await runCli(['serve', '--host', '0.0.0.0', '--port', '0', '--engine', 'compressor'], {
    cwd: folder,
  })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toBe(
    'palimpsest: --host 0.0.0.0 can be reached from other machines: set a token in PALIMPSEST_TOKEN, or with --token\n',
  )
})

it('answers to its own names only, so that a rebound name of a stranger gets nothing', async () => {
  const service = await startTestService()
  const { port } = new URL(service.url)
  const statusOf = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, 'content-type': 'application/json' }
      const call = request({ port, method: 'POST', path: '/init', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject).end('{}')
    })
  for (const host of [`localhost:${port}`, '127.0.0.1', `[::1]:${port}`, 'LOCALHOST'])
    expect([host, await statusOf(host)]).toEqual([host, 200])
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
  ])
    expect([host, await statusOf(host)]).toEqual([host, 403])
})

it('tells the addresses of this machine from others', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.9.1', '::1', '[::1]', 'LocalHost'])
    expect(isLoopback(host)).toBe(true)
  for (const host of ['0.0.0.0', '::', '192.168.0.1', '127.evil.example', '', '128.0.0.1', 'localhost.'])
    expect(isLoopback(host)).toBe(false)
})

it('says what to do about a port that is taken, an unknown engine and a wrong configuration', async () => {
  const folder = await temporaryFolder()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const serve = (...args: string[]) => runCli(['serve', ...args], { cwd: folder })
  const [busy, unknown, profile] = await Promise.all([
    serve('--port', String(port), '--engine', 'compressor'),
    serve('--port', '0', '--engine', 'compresor'),
    serve('--port', '0', '--engine', 'compressor', '--profile', 'seed'),
  ])
  expect(busy.stderr).toBe(
    `palimpsest: port ${port} is used already; choose another with --port, or 0 for any\n`,
  )
  expect(unknown.stderr).toMatch(/compressor/)
  expect(profile.stderr).toMatch(/from --profile/)
  expect([busy.code, unknown.code, profile.code]).toEqual([2, 2, 2])
})
