import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../run-cli.ts'
import { startOfSession } from '../start-of-session.ts'

let folder: string
let server: Server
let requests: { url: string; key: unknown; body: string }[]
let answer: { status: number; body: object }

const text =
  '## Goal\n- The ledger was worked on.\n\n## Critical Context\n- The service answers as FAKE-GEMINI.'
const success = {
  status: 200,
  body: {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  },
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  requests = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push({ url: request.url ?? '', key: request.headers['x-goog-api-key'], body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const config = `auxiliary:\n  compression:\n    provider: gemini\n    model: gemini-test\n    base_url: http://127.0.0.1:${port}\n`
  await writeFile(join(folder, 'config.yaml'), config)
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

const replay = async () =>
  runCli(
    [
      'replay',
      await startOfSession(folder),
      '--window',
      '16000',
      '--json',
      '--projections',
      join(folder, 'out.jsonl'),
    ],
    {
      cwd: folder,
      env: { GEMINI_API_KEY: 'test-key' },
    },
  )

it('summarises with the model of the configuration, at its address', async () => {
  answer = success
  const { code, stdout } = await replay()
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report.compactions[0]).toMatchObject({ outcome: 'compacted', reason: 'summarised' })
  expect(report.laws.violations).toEqual([])
  expect(requests[0]).toMatchObject({
    url: expect.stringContaining('gemini-test:generateContent'),
    key: 'test-key',
  })
  expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toContain('FAKE-GEMINI')
})

it('keeps everything and says why when the model is overloaded', async () => {
  answer = {
    status: 503,
    body: { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
  }
  const { code, stdout } = await replay()
  expect(code).toBe(0)
  const report = JSON.parse(stdout)
  expect(report.compactions[0]).toMatchObject({ outcome: 'aborted', reason: 'summariser-overloaded' })
  expect(report.warnings[0].message).toMatch(/overloaded/)
  expect(report.laws.violations).toEqual([])
  expect(stdout).not.toContain('test-key')
})
