import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freezeMessage, type Message } from '@palimpsest/core'
import { readTranscript, type TranscriptEntry, TranscriptError } from '@palimpsest/transcripts'
import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from './usage-error.ts'

const LEAST_BUDGET = 2_000
const LEAST_STORE = 200

function parseCount(text: string): number {
  if (/^[\d_]{1,15}$/.test(text)) return Number(text.replaceAll('_', ''))
  throw new InvalidArgumentError('Use whole numbers.')
}

export const parseNumber = (text: string): number => atLeast(1, parseCount(text), 'Use 1 or more.')

export function parseBudgets(text: string): number[] {
  const hint = `Use budgets of at least ${LEAST_BUDGET} tokens, such as 8000,16000,40000.`
  return [...new Set(parseCounts(text, LEAST_BUDGET, hint))]
}

export const parseStoreSizes = (text: string): number[] =>
  parseCounts(text, LEAST_STORE, `Use sizes of at least ${LEAST_STORE} messages.`)

export const parseNames = (text: string): string[] => [...new Set(text.split(',').map((name) => name.trim()))]

function parseFolder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return path
  if (found !== undefined) throw new InvalidArgumentError('It is a file. Name the folder that it lies in.')
  throw new InvalidArgumentError('There is no such folder. Name one that has session files in it.')
}

const parseCounts = (text: string, least: number, hint: string): number[] =>
  text.split(',').map((part) => atLeast(least, parseCount(part), hint))

function atLeast(least: number, value: number, hint: string): number {
  if (value >= least) return value
  throw new InvalidArgumentError(hint)
}

export function option<Value>(
  flags: string,
  description: string,
  parse: (text: string) => Value,
  initial?: Value,
): Option {
  const made = new Option(flags, description).argParser(parse)
  return initial === undefined ? made : made.default(initial, String(initial))
}

export const DATA = option('--data <folder>', 'session files (default: the bundled session)', parseFolder)

/** Default budgets in tokens, as in the literature. */
export const BUDGETS = option(
  '--budgets <list>',
  'tokens that the messages of a prompt may take',
  parseBudgets,
  [8_000, 16_000, 40_000],
)

export const ENGINES = option(
  '--engines <names>',
  'engines and peers, beside the bounds (default: all)',
  parseNames,
)

export const SEED = option('--seed <number>', 'seed of the generated conversations', parseCount, 1)

export function chooseArms<Arm extends { readonly name: string; readonly kind?: string }>(
  arms: readonly Arm[],
  names: readonly string[] | undefined,
  flag = '--engines',
): readonly Arm[] {
  if (names === undefined) return arms
  const known = new Set(arms.map(({ name }) => plain(name)))
  const unknown = names.find((name) => !known.has(plain(name)))
  if (unknown !== undefined)
    throw new UsageError(
      `${flag}: there is no ‘${unknown}’. There are: ${arms.map(({ name }) => name).join(', ')}`,
    )
  const chosen = new Set(names.map(plain))
  return arms.filter(({ name, kind }) => kind === 'bound' || chosen.has(plain(name)))
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s-]+/g, ' ')

const BUNDLED = '../palimpsest/sessions'

export async function openSessions(data: string | undefined, root: URL): Promise<ReadSessions> {
  const folder = data ?? fileURLToPath(new URL(BUNDLED, root))
  const read = await readSessions(folder)
  if (read.sessions.length > 0) return read
  const [first] = read.skipped
  const found =
    first === undefined ? 'it has no files' : `none of them a session (${first.file}: ${first.reason})`
  throw new UsageError(
    `--data: no sessions in ${folder}: ${found}. Name a folder with files of pi, Claude Code, Codex, or messages of OpenAI or Anthropic as JSON or JSONL`,
  )
}

export interface RecordedSession {
  readonly name: string
  readonly messages: readonly Message[]
  readonly entries: readonly TranscriptEntry[]
  readonly model?: string
}

export interface ReadSessions {
  readonly sessions: readonly RecordedSession[]
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
}

async function readSessions(folder: string): Promise<ReadSessions> {
  const found = await readdir(folder, { withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ name }) => name)
  const sessions: RecordedSession[] = []
  const skipped: { file: string; reason: string }[] = []
  for (const file of files.sort()) {
    try {
      sessions.push(await readSession(join(folder, file)))
    } catch (error) {
      if (!TranscriptError.isInstance(error)) throw error
      skipped.push({ file, reason: error.code })
    }
  }
  return { sessions, skipped }
}

export async function readSession(path: string): Promise<RecordedSession> {
  const { entries, model } = await readTranscript(path)
  return {
    name: parse(path).name,
    messages: entries.map(({ message }) => freezeMessage(message)),
    entries,
    ...(model !== undefined && { model }),
  }
}
