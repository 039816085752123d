import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { checkToken } from '../../src/serve/http/listen.ts'
import { runCli } from '../run-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

it('asks for the token, and for nothing else on /health', async () => {
  const token = 'correct horse'
  const service = await startTestService({ token, headers: { authorization: `Bearer ${token}` } })
  expect((await service.post('/query', { query: 'q' })).status).toBe(200)
  for (const authorization of [
    '',
    'Bearer',
    'Bearer wrong',
    `Basic ${token}`,
    `Bearer${token}`,
    `Bearer ${token}!`,
    token,
  ]) {
    const { status, body, headers } = await service.post(
      '/query',
      { query: 'q' },
      { headers: { authorization } },
    )
    expect([authorization, status, body.error.code]).toEqual([authorization, 401, 'unauthorized'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  }
  // The name of a scheme has no case.
  for (const scheme of ['bearer', 'BEARER'])
    expect((await service.get('/costs', { headers: { authorization: `${scheme} ${token}` } })).status).toBe(
      200,
    )
  expect((await fetch(`${service.url}/openapi.json`)).status).toBe(401)
  expect((await service.get('/health', { headers: { authorization: '' } })).status).toBe(200)
  expect(service.log.join()).not.toContain('horse')
})

it('does not listen where others can reach it without a token', async () => {
  expect(() => checkToken(undefined, '0.0.0.0')).toThrow(/set a token in PALIMPSEST_TOKEN/)
  expect(() => checkToken('letmein', '0.0.0.0')).toThrow(
    /a token of 7 characters is soon guessed; use at least 8/,
  )
  const headers = { authorization: 'Bearer long enough' }
  const service = await startTestService({ host: '0.0.0.0', token: 'long enough', headers })
  expect((await service.post('/query', { query: 'q' })).status).toBe(200)
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

it('says what to do about a port that is taken, an unknown engine and a wrong configuration', async () => {
  const folder = await temporaryFolder()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const serve = (...args: string[]) => runCli(['serve', ...args], { cwd: folder })
  const [busy, unknown] = await Promise.all([
    serve('--port', String(port), '--engine', 'compressor', '--store', 'taken.db'),
    serve('--port', '0', '--engine', 'compresor'),
  ])
  expect(busy.stderr).toBe(
    `palimpsest: port ${port} is used already; choose another with --port, or 0 for any\n`,
  )
  expect(unknown.stderr).toMatch(/compressor/)
  expect([busy.code, unknown.code]).toEqual([2, 2])
  await expect(startTestService({ profile: 'seed' })).rejects.toThrow(/from --profile/)
})

it('takes no token that no header can carry', () => {
  for (const [token, reason] of [
    [' spaced', /no spaces around it/],
    ['schlüssel', /signs of ASCII only/],
    ['a\nb', /signs of ASCII only/],
  ] as const)
    expect(() => checkToken(token, '127.0.0.1')).toThrow(reason)
})
