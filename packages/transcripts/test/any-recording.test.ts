import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSequence, isObject, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTranscript, type Transcript, TranscriptError } from '../src/index.ts'
import { AGENT_FILES } from './support/agent-files.ts'
import { fixture, toLines, withFile } from './support/recording.ts'

const RUNS = 150

/** Whole recordings of every format, one record a line. */
function samples(): [name: string, records: readonly unknown[]][] {
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-samples-'))
  const session = { home, number: 2, words: ['apple', 'birch', 'cedar'], cwd: home }
  const written = Object.entries(AGENT_FILES).map(([name, { write }]) => [name, write(session)] as const)
  const files = [
    ...readdirSync(fixture('.')).map((name) => [name, fixture(name)] as const),
    ...written.filter(([, path]) => !path.includes('#')),
  ]
  const read = files.map(([name, path]): [string, unknown[]] => {
    const text = readFileSync(path, 'utf8')
    const whole = parse(text)
    return [name, Array.isArray(whole) ? whole : text.split('\n').map((line) => parse(line) ?? line)]
  })
  rmSync(home, { recursive: true })
  return read
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const junk = fc.oneof(fc.jsonValue(), fc.constantFrom('', ' ', '\ud800', '__proto__', '{"a":', 'aborted'))
const change = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'move', 'replace', 'replace', 'replace', 'add'),
  at: fc.nat(1_000),
  to: fc.nat(1_000),
  path: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
  value: junk,
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function changed(records: readonly unknown[], { kind, at, to, path, value }: Change): unknown[] {
  const [from, place] = [at % Math.max(1, records.length), to % Math.max(1, records.length)]
  const one = records[from]
  if (kind === 'drop') return records.toSpliced(from, 1)
  if (kind === 'repeat') return records.toSpliced(place, 0, one)
  if (kind === 'move') return records.toSpliced(from, 1).toSpliced(place, 0, one)
  if (kind === 'add') return records.toSpliced(place, 0, value)
  return records.toSpliced(from, 1, replaced(one, path, value))
}

/** The value with another one somewhere inside of it. */
function replaced(value: unknown, [step, ...path]: readonly number[], junk: unknown): unknown {
  const keys = Array.isArray(value) || isObject(value) ? Object.keys(value) : []
  const key = keys[(step ?? 0) % Math.max(1, keys.length)]
  if (step === undefined || key === undefined) return junk
  const inner = replaced((value as Record<string, unknown>)[key], path, junk)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...(value as object), [key]: inner }
}

async function read(records: readonly unknown[]): Promise<Transcript | undefined> {
  try {
    return await withFile(toLines(records), (path) => readTranscript(path))
  } catch (error) {
    if (TranscriptError.isInstance(error)) return undefined
    throw error
  }
}

const messagesOf = ({ entries }: Transcript): Message[] => entries.map(({ message }) => message)

describe.each(samples())('whatever is wrong in a recording: %s', (name, records) => {
  const isAnthropic = name === 'cline' || name === 'roo-code'

  it('the messages are a valid sequence, or one typed error says why there are none; they read the same again', async () => {
    let valid = 0
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const transcript = await read(changes.reduce(changed, [...records]))
        if (transcript === undefined) return
        valid++
        const messages = messagesOf(transcript)
        const ids = messages.flatMap(({ id }) => id ?? [])
        const calls = messages.flatMap((message) =>
          message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
        )
        expect(checkSequence(messages)).toEqual([])
        for (const list of [ids, calls]) expect(new Set(list).size).toBe(list.length)
        for (const { beforeEntry } of transcript.nativeCompactions)
          expect(messages[beforeEntry]?.role).not.toBe('tool')
        // Anthropic's messages with a broken block may be OpenAI's, and aider has no messages.
        if (['aider', 'anthropic'].includes(transcript.format) || isAnthropic) return
        const again = await read(messages)
        expect(again && messagesOf(again)).toEqual(messages)
      }),
      { numRuns: RUNS },
    )
    expect(valid).toBeGreaterThan(RUNS / 8)
  })
})

it('any text is read or refused with a typed error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(junk, fc.string())), async (records) => void (await read(records))),
    {
      numRuns: RUNS,
    },
  )
})
