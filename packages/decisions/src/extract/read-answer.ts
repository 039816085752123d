import { redactSecrets } from '@palimpsest/core'
import { clip, withoutThinking } from '@palimpsest/summaries'
import { CATEGORIES, type Category, KINDS, type Kind, type Statement } from '../log/decision-event.ts'
import type { Action, Candidate, Refusal } from './candidate.ts'

const MAX_ANSWER = 2_000_000
const MAX_CANDIDATES = 32

export function readAnswer(
  answer: string,
  known: readonly string[],
): { readonly candidates: readonly Candidate[]; readonly refused: readonly Refusal[] } {
  const found = entriesOf(redactSecrets(withoutThinking(answer.slice(0, MAX_ANSWER))))
  if (found === undefined) return { candidates: [], refused: ['unreadable-answer'] }
  const candidates: Candidate[] = []
  const refused: Refusal[] = Array(found.broken).fill('malformed')
  for (const entry of found.entries) {
    const candidate = candidates.length < MAX_CANDIDATES ? readCandidate(entry, known) : 'too-many'
    if (candidate === undefined) continue
    if (typeof candidate === 'string') refused.push(candidate)
    else candidates.push(candidate)
  }
  return { candidates, refused }
}

/** The JSON entries of an answer, fenced or between sentences. If the whole is broken, its intact objects. */
function entriesOf(
  answer: string,
): { readonly entries: readonly unknown[]; readonly broken: number } | undefined {
  for (const start of [answer.indexOf('{'), answer.indexOf('[')].sort((a, b) => a - b)) {
    if (start < 0) continue
    const end = answer.lastIndexOf(answer[start] === '{' ? '}' : ']')
    const value = parse(answer.slice(start, end + 1))
    const list = Array.isArray(value) ? value : Object.values(value ?? {}).find(Array.isArray)
    if (list !== undefined) return { entries: list, broken: 0 }
  }
  const list = answer.indexOf('[')
  if (list === -1) return undefined
  const objects = objectsIn(answer.slice(list))
  const entries = objects.map(parse)
  const sound = entries.filter((entry) => entry !== undefined)
  return objects.length === 0 ? undefined : { entries: sound, broken: entries.length - sound.length }
}

function objectsIn(text: string): string[] {
  const objects: string[] = []
  let [start, depth, isString] = [0, 0, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isString) {
      if (character === '\\') index++
      else if (character === '"') isString = false
    } else if (character === '"') isString = true
    else if (character === '{' && depth++ === 0) start = index
    else if (character === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, index + 1))
  }
  return depth > 0 ? [...objects, text.slice(start)] : objects
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function readCandidate(entry: unknown, known: readonly string[]): Candidate | Refusal | undefined {
  if (typeof entry !== 'object' || entry === null) return 'malformed'
  const fields = entry as Readonly<Record<string, unknown>>
  const words = (key: string, most: number) => wordsOf(fields[key], most)
  const verb = words('do', 20).toLowerCase()
  if (verb === 'skip') return undefined
  const quote = words('quote', 2_000)
  const kind = KINDS.find((name) => name === words('kind', 20).toLowerCase()) ?? 'fact'
  const given = words('value', 600)
  const l0 = clip(words('l0', 600), 200)
  const value = given === '' ? l0 : given
  const subject = words('subject', 100)
  const target = idOf(fields.with, known)
  const isMerge = verb === 'merge' && target !== undefined
  const action: Action = isMerge || verb === 'retract' ? (verb as Action) : 'create'
  const contradicts = idOf(fields.contradicts, known)
  if (quote === '' || (action === 'create' && value === '')) return 'malformed'
  if (action !== 'create' && target === undefined) return 'unknown-target'
  const [l1, reason, saidBy] = [words('l1', 1_000), words('reason', 400), words('said_by', 100)]
  const statement: Statement = {
    kind,
    category: categoryOf(kind, words('category', 20)),
    subject: subject === '' ? value.split(/\s+/).slice(0, 4).join(' ').slice(0, 60) : subject,
    value,
    l0: l0 === '' ? clip(value, 200) : l0,
    ...(l1 !== '' && { l1 }),
    ...(reason !== '' && { reason }),
    ...(saidBy !== '' && { saidBy }),
    ...(contradicts !== undefined && { contradicts }),
  }
  const [replaced, proposal] = [words('replaces', 300), words('accepts', 2_000)]
  const replaces = idOf(fields.replaces, known) ?? replaced
  return {
    action,
    statement,
    quote,
    seq: numberOf(fields.message),
    ...(proposal !== '' && { proposal }),
    ...(target !== undefined && { target }),
    ...(replaces !== '' && { replaces }),
  }
}

function wordsOf(value: unknown, most: number): string {
  if (typeof value === 'number') return String(value)
  const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join('\n') : value
  return typeof text === 'string' ? text.slice(0, most).toWellFormed().trim() : ''
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(/\d+/.exec(value)?.[0]) : value
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

function idOf(value: unknown, known: readonly string[]): string | undefined {
  if (typeof value === 'string' && known.includes(value.trim())) return value.trim()
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\W*\d{1,3}\W*$/.test(value))
  return isNumber ? known[(numberOf(value) ?? 0) - 1] : undefined
}

function categoryOf(kind: Kind, given: string): Category {
  if (kind === 'choice' || kind === 'rule' || kind === 'question' || kind === 'intention') return 'decisions'
  return (
    CATEGORIES.find((name) => name === given.toLowerCase()) ?? (kind === 'value' ? 'behavior' : 'decisions')
  )
}
