import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTranscript, TranscriptError } from '../src/index.ts'
import { fixture, readRecords, withFile } from './support/recording.ts'

async function failure(reading: Promise<unknown>): Promise<TranscriptError> {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!TranscriptError.isInstance(error)) throw error ?? new Error('nothing was refused')
  return error
}

const failureOf = (content: string | Uint8Array) => withFile(content, (path) => failure(readTranscript(path)))

describe('a file that is no transcript is refused in one sentence', () => {
  it.each<[string, string | Uint8Array, string, RegExp]>([
    ['an empty file', '', 'TRANSCRIPT_EMPTY', /is empty/],
    ['nothing but blank lines', '\uFEFF\r\n \n', 'TRANSCRIPT_EMPTY', /is empty/],
    [
      'text that is no JSON',
      'Dear diary,\nit rains.\n',
      'TRANSCRIPT_UNKNOWN_FORMAT',
      /no line of it is JSON/,
    ],
    ['a log in brackets', '[12:00:01] INFO up\n', 'TRANSCRIPT_UNKNOWN_FORMAT', /no line of it is JSON/],
    ['a document that is cut off', '[\n{"role":"user",\n', 'TRANSCRIPT_UNKNOWN_FORMAT', /it was cut off/],
    ['brackets that do not match', '{"a": [}', 'TRANSCRIPT_UNKNOWN_FORMAT', /no line of it is JSON/],
    [
      'a picture',
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13),
      'TRANSCRIPT_NOT_TEXT',
      /not UTF-8 text/,
    ],
    [
      'bytes that are no UTF-8',
      Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d),
      'TRANSCRIPT_NOT_TEXT',
      /not UTF-8 text/,
    ],
    ['UTF-16', Buffer.from('\uFEFF{"role":"user"}', 'utf16le'), 'TRANSCRIPT_NOT_TEXT', /not UTF-8 text/],
    [
      'JSON of another kind',
      '{"name":"x","version":"1","a":1,"b":2,"c":3,"d":4}',
      'TRANSCRIPT_UNKNOWN_FORMAT',
      /line 1 is a JSON object with the keys "name", "version", "a", "b", "c" and 1 more; known are pi, Claude Code/,
    ],
    ['a number', '42', 'TRANSCRIPT_UNKNOWN_FORMAT', /line 1 is the JSON value 42/],
    ['an empty array', '[]', 'TRANSCRIPT_UNKNOWN_FORMAT', /a JSON array of 0 values/],
    [
      'a session without a user',
      '{"role":"assistant","content":"hi"}',
      'TRANSCRIPT_NO_USER_MESSAGE',
      /no user message/,
    ],
    [
      'system messages only',
      '{"role":"system","content":"a"}\n{"role":"assistant","content":"b"}\n{"role":"system","content":"c"}',
      'TRANSCRIPT_NO_USER_MESSAGE',
      /no user message/,
    ],
  ])('%s', async (_, content, code, message) => {
    const error = await failureOf(content)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect(error.message).toContain('session.jsonl')
    expect(error.message).not.toContain('\n')
  })

  it('a missing file, also below a file', async () => {
    expect(await failure(readTranscript('/no/such/file.jsonl'))).toMatchObject({
      code: 'TRANSCRIPT_NOT_FOUND',
      message: '/no/such/file.jsonl does not exist; check the path',
    })
    expect((await failure(readTranscript(`${fixture('codex.jsonl')}/x`))).code).toBe('TRANSCRIPT_NOT_FOUND')
  })

  it('a line of 200 MB, without reading it to its end', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'palimpsest-transcripts-'))
    try {
      const path = join(directory, 'long.jsonl')
      const file = await open(path, 'w')
      await file.write('{"type":"session","id":"s"}\n{"type":"message","padding":"')
      const block = Buffer.alloc(1_000_000, 'x')
      for (let megabyte = 0; megabyte < 200; megabyte++) await file.write(block)
      await file.close()
      let seen = 0
      const reading = readTranscript(path, { onProgress: (bytesRead) => (seen = bytesRead) })
      expect(await failure(reading)).toMatchObject({ code: 'TRANSCRIPT_LINE_TOO_LONG', line: 2 })
      expect(seen).toBeLessThan(70_000_000)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

describe('a file of plain messages that does not fit together', () => {
  const user = { role: 'user', content: 'hi' }
  const call = { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{}' } }] }
  const result = { role: 'tool', tool_call_id: 'a', content: 'x' }

  it.each([
    ['a result without a call', [user, result], 2],
    ['a second result', [user, call, result, result], 4],
    ['an unknown role', [user, { role: 'wizard', content: '' }], 2],
  ])('%s is refused with its line', async (_, records, line) => {
    expect(await failure(readRecords(records))).toMatchObject({ code: 'TRANSCRIPT_BROKEN', line })
  })
})

it('malformed lines are listed, and the others are read', async () => {
  const records = [{ role: 'user', content: 'hi' }, '{"role":', { role: 'user', content: 7 }]
  const { malformed, entries } = await readRecords(records)
  expect(malformed.map(({ line }) => line)).toEqual([2, 3])
  expect(entries).toHaveLength(1)
})

describe('a line that is nested without end', () => {
  it.each(['[', '{"a":'])('of %s is named and does no harm', async (opening) => {
    const closing = opening === '[' ? ']' : '}'
    const value = `${opening.repeat(100_000)}1${closing.repeat(100_000)}`
    const { entries, malformed } = await readRecords([
      value,
      { role: 'user', content: 'hi' },
      `{"role":"assistant","content":[${value}]}`,
    ])
    expect(entries).toHaveLength(1)
    expect(malformed).toEqual([
      { line: 1, reason: 'nested too deeply' },
      { line: 3, reason: 'nested too deeply' },
    ])
  })
})

describe('a first line that is damaged', () => {
  it.each(['{"role":"user","conte', '[broken', '{"messages":['])(
    'like %s costs only itself',
    async (line) => {
      const { entries, malformed } = await readRecords([line, { role: 'user', content: 'hi' }])
      expect(entries).toHaveLength(1)
      expect(malformed).toEqual([{ line: 1, reason: 'not valid JSON' }])
    },
  )
})

describe('calls that are wrong', () => {
  it('an abort rejects with its reason, before and during the reading', async () => {
    const reason = new Error('enough')
    const before = readTranscript(fixture('codex.jsonl'), { signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
    const controller = new AbortController()
    const onProgress = () => controller.abort(reason)
    const during = readTranscript(fixture('codex.jsonl'), { signal: controller.signal, onProgress })
    await expect(during).rejects.toBe(reason)
  })
})
