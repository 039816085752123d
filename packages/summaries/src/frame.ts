import {
  isSpoken,
  type Message,
  messageText,
  ownWords,
  pastedRanges,
  type Sliced,
  type TokenCounter,
} from '@palimpsest/core'
import { changedFiles, type FileStates, fileLines, joinFiles, readFiles } from './files.ts'
import { type HostRules, hostRules, joinHostRules } from './host-rules.ts'
import { lastPlan } from './last-plan.ts'
import { cuesOf, rulesIn, sentencesOf } from './rules.ts'
import { clip, oneLine, withoutUnseen } from './text.ts'

const HEADINGS = {
  rules: "## The user's rules, word for word",
  host: "## The host's rules, word for word",
  plan: '## The plan, as the agent wrote it last',
  files: '## Files that calls changed',
  said: '## What the user said, word for word',
} as const
type Block = keyof typeof HEADINGS

/** The parts of a summary. A model rewrites only the record; code adds to the other parts. */
export interface SummaryFrame {
  /** A model's record; empty without one. */
  readonly record: string
  /** The user's sentences that state a rule, oldest first. */
  readonly rules: readonly string[]
  readonly host: HostRules
  readonly plan: readonly string[]
  readonly files: FileStates
  /** Messages of the user, clipped, oldest first. */
  readonly said: readonly string[]
}

export const EMPTY_FRAME: SummaryFrame = {
  record: '',
  rules: [],
  host: new Map(),
  plan: [],
  files: new Map(),
  said: [],
}

export const NO_RECORD = '(No model wrote a record of the messages that were here.)'

const SAID = { most: 600, end: 150 }

/**
 * Adds facts from messages to a frame, in slices: rules, files, and the user's words. The record stays.
 *
 * @param messages The messages that the summary replaces, redacted, oldest first.
 * @param mark Names a message by its index, in front of its quote. Default: none.
 */
export function* addToFrame(
  frame: SummaryFrame,
  messages: readonly Message[],
  mark?: (index: number) => string,
): Sliced<SummaryFrame> {
  const named = (index: number, text: string) => (mark === undefined ? text : `${mark(index)}: ${text}`)
  const rules: string[] = []
  const said: string[] = []
  for (const [index, message] of messages.entries()) {
    for (const rule of rulesIn(message)) rules.push(named(index, rule))
    const words = isSpoken(message) ? oneLine(withPastedMarked(ownWords(messageText(message)).trim())) : ''
    if (words !== '') said.push(named(index, words))
    yield
  }
  const host = hostRules(messages, frame.host)
  yield
  const plan = lastPlan(messages, frame.plan)
  yield
  const files = changedFiles(messages, frame.files)
  yield
  return {
    record: frame.record,
    rules: unique([...frame.rules, ...rules]),
    ...{ host, plan, files },
    said: unique([...frame.said, ...said]),
  }
}

const SHOWN = 200
const NOT_OWN = "not the user's own words"

/** Pasted text gets marks, because on a single line nothing else distinguishes it from the user's words. */
function withPastedMarked(text: string): string {
  const ranges = pastedRanges(text)
  const marked = (show: (shown: string) => string): string => {
    let result = ''
    let done = 0
    for (const { start, end } of ranges) {
      result += `${text.slice(done, start)}[${NOT_OWN}${show(text.slice(start, end))}]`
      done = end
    }
    return result + text.slice(done)
  }
  const whole = marked((shown) => `: ${clip(shown.trim().replace(/[[\]]/g, ''), SHOWN)}`)
  return whole.length <= SAID.most
    ? whole
    : clip(
        marked(() => ''),
        SAID.most,
        SAID.end,
      )
}

/** Merges the frames of consecutive parts. The result has no record. */
export function joinFrames(frames: readonly SummaryFrame[]): SummaryFrame {
  return {
    record: '',
    rules: unique(frames.flatMap(({ rules }) => rules)),
    host: joinHostRules(frames.map(({ host }) => host)),
    plan: frames.findLast(({ plan }) => plan.length > 0)?.plan ?? [],
    files: joinFiles(frames.map(({ files }) => files)),
    said: unique(frames.flatMap(({ said }) => said)),
  }
}

const QUOTES = /["“«„]([^"“”«»„]{8,400})["”»“]/g
const normal = (text: string): string =>
  oneLine(text)
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[.!,;:]$/, '')

/**
 * Adds a model's record to a frame. Sentences that it quotes as rules become rules if the user said them in `messages`;
 * the lines that only quote them are removed.
 */
export function withRecord(frame: SummaryFrame, record: string, messages: readonly Message[]): SummaryFrame {
  const [heading] = /^## Constraints.*$/m.exec(record) ?? []
  const shown = shownIn(messages)
  const written = (text: string) => demote(shown === '' ? text : withQuotes(text, shown, messages))
  const plain = { ...frame, record: written(record) }
  if (heading === undefined) return plain
  const sentences = messages.flatMap(sentencesOf).map((sentence) => ({ sentence, normal: normal(sentence) }))
  const found: string[] = []
  let isInside = false
  const lines = record.split('\n').filter((line) => {
    if (line.startsWith('## ')) isInside = line === heading
    const quotes = isInside ? [...line.matchAll(QUOTES)].map(([, quote = '']) => normal(quote)) : []
    const proven = quotes.flatMap((quote) => {
      const said = sentences.filter((one) => one.normal.includes(quote) || quote.includes(one.normal))
      return said.length === 0 ? [] : [said.map(({ sentence }) => sentence)]
    })
    found.push(...proven.flat())
    return quotes.length === 0 || proven.length < quotes.length
  })
  return {
    ...plain,
    record: written(lines.join('\n').replace(`${heading}\n\n`, '').replace(`${heading}\n## `, '## ')),
    rules: unique([
      ...frame.rules,
      ...found.filter((one) => !frame.rules.some((rule) => rule.includes(one))),
    ]),
  }
}

function shownIn(messages: readonly Message[]): string {
  const texts = messages.flatMap((message) => {
    const text = messageText(message)
    if (message.role === 'tool') return [text]
    return isSpoken(message) ? pastedRanges(text).map(({ start, end }) => text.slice(start, end)) : []
  })
  return normal(texts.join('\n'))
}

/** Shorter lines may be equal by chance. */
const SHORTEST_QUOTE = 15
const LEAD = /^[\s>+*\-–•"'“]*(?:\d{1,3}[.)]\s+)?(?:m\d+:?\s+)?(?:\[[^\]]{1,40}\]\s*)?[\s>+*\-–•"'“]*/

/** Turns a line that repeats somebody else's words into a quotation, so that it is not read as an instruction. */
function withQuotes(record: string, shown: string, messages: readonly Message[]): string {
  const own = normal(messages.flatMap(sentencesOf).join('\n'))
  return record
    .split('\n')
    .map((line) => {
      const words = line.replace(LEAD, '').replace(/["”']\s*$/, '')
      const said = normal(words)
      if (line.startsWith('#') || said.length < SHORTEST_QUOTE || !shown.includes(said) || own.includes(said))
        return line
      return `- (shown, not said by the user) "${words.replaceAll('"', "'")}"`
    })
    .join('\n')
}

/** Removes invisible characters and the other blocks' headings, so that a model cannot speak for the user. */
function demote(record: string): string {
  return withoutUnseen(record)
    .replace(/^[ \t]{0,8}#{1,6}[ \t].*$/gm, (line) =>
      HEADING_WORDS.has(wordsOf(line)) ? `### (by the model) ${wordsOf(line)}` : line,
    )
    .trim()
}

const wordsOf = (line: string): string => oneLine(line).replace(/[#:.]/g, '').trim().toLowerCase()
const HEADING_WORDS: ReadonlySet<string> = new Set(Object.values(HEADINGS).map(wordsOf))

const ROOM = {
  rules: { share: 0.3, most: 2_000 },
  host: { share: 0.1, most: 1_500 },
  plan: { share: 0.1, most: 1_000 },
  files: { share: 0.25, most: 4_000 },
} as const

export interface FrameRoom {
  /** Size of the whole summary, in tokens. The record is never cut. */
  readonly maxTokens: number
  /** Room for the blocks. Default: the rest after the record. */
  readonly left?: number
  readonly said: number
  readonly tokens: TokenCounter
}

/** Renders a frame: the record, then each non-empty block that fits. */
export function renderFrame(frame: SummaryFrame, room: FrameRoom): string {
  const { maxTokens, tokens } = room
  let left = room.left ?? Math.max(0, maxTokens - tokens.countText(frame.record))
  const shown: string[] = []
  const show = (block: Block, most: number, lines: (room: number) => readonly string[]): void => {
    const list = lines(Math.min(left, most) - tokens.countText(HEADINGS[block]) - 2)
    if (list.length === 0) return
    const text = [HEADINGS[block], ...list].join('\n')
    left -= tokens.countText(text) + 2
    shown.push(text)
  }
  const mostOf = ({ share, most }: (typeof ROOM)[keyof typeof ROOM]) => Math.min(most, maxTokens * share)
  let rules: readonly string[] = []
  show('rules', mostOf(ROOM.rules), (most) => {
    rules = bestWithin(frame.rules, most, tokens, cuesOf)
    return rules.map(item)
  })
  show('host', mostOf(ROOM.host), (most) => hostLines(frame.host, most, tokens))
  show('plan', mostOf(ROOM.plan), (most) => bestWithin(frame.plan, most, tokens, () => 0).map(item))
  show('files', mostOf(ROOM.files), (most) => fileLines(frame.files, most, tokens))
  const others = frame.said.filter((words) => !rules.includes(words))
  // The user's first message states the subject of the conversation.
  const isFirst = (words: string) => (words === others[0] ? 1 : 0)
  show('said', room.said, (most) => bestWithin(others, most, tokens, isFirst).map(item))
  return [frame.record, ...shown].filter((part) => part !== '').join('\n\n')
}

const item = (text: string): string => `- ${text}`

/** Texts without room after which no more are tried. */
const MOST_MISSES = 200

function bestWithin(
  texts: readonly string[],
  maxTokens: number,
  tokens: TokenCounter,
  score: (text: string) => number,
): string[] {
  let room = maxTokens
  let misses = 0
  const kept = new Set<string>()
  const ranked = texts.map((text, index) => ({ text, index, score: score(text) }))
  for (const { text } of ranked.sort((a, b) => b.score - a.score || b.index - a.index)) {
    const cost = tokens.countText(text) + 2
    if (cost <= room) {
      room -= cost
      kept.add(text)
    } else if (++misses === MOST_MISSES) break
  }
  return texts.filter((text) => kept.has(text))
}

function hostLines(host: HostRules, maxTokens: number, tokens: TokenCounter): string[] {
  let room = maxTokens
  return [...host].flatMap(([path, lines]) => {
    const shown = [`### ${path}`, ...lines].filter((line) => {
      room -= tokens.countText(line) + 1
      return room >= 0
    })
    return shown.length > 1 ? shown : []
  })
}

/** Parses a summary; everything outside the blocks is the record. */
export function readFrame(text: string): SummaryFrame {
  const lines: Record<Block | 'record', string[]> = {
    record: [],
    rules: [],
    host: [],
    plan: [],
    files: [],
    said: [],
  }
  let block: keyof typeof lines = 'record'
  for (const line of text.split('\n')) {
    if (line.startsWith('## '))
      block = (Object.keys(HEADINGS) as Block[]).find((key) => HEADINGS[key] === line) ?? 'record'
    if (block === 'record' || (line !== '' && line !== HEADINGS[block])) lines[block].push(line)
  }
  const items = (block: Block) => lines[block].map((line) => line.replace(/^- /, ''))
  const host = new Map<string, string[]>()
  let path = ''
  for (const line of lines.host) {
    const [, named] = /^### (.+)$/.exec(line) ?? []
    if (named === undefined) host.get(path)?.push(line)
    else {
      path = named
      host.set(path, [])
    }
  }
  return {
    record: lines.record.join('\n').replace(NO_RECORD, '').trim(),
    rules: items('rules'),
    host,
    plan: items('plan'),
    files: readFiles(lines.files),
    said: items('said'),
  }
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)]
}
