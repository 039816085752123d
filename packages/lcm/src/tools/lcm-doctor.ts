import { hash } from 'node:crypto'
import { errorText } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { isInstructionRole } from '../history/instruction-role.ts'
import { nextLive } from '../history/replaced-ranges.ts'
import type { Frontier } from '../store/frontier.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type { LcmSession, SessionHead } from '../store/lcm-session.ts'
import { messageRef, rangeRef, summaryRef } from './refs.ts'
import type { ToolContext } from './tool-context.ts'

/** Faults of the store that are listed. */
const LISTED_FAULTS = 20
/** Characters of the text of one check. */
const DETAIL_CHARACTERS = 600

const argumentSchema = lazily(() => z.object({}))

export const lcmDoctorSchema = lazily(() =>
  toolSchema(
    'lcm_doctor',
    'Checks the conversation store: summaries, newest messages, search index. Use it when a search or a read gives ' +
      'something strange.',
    argumentSchema(),
  ),
)

/** A few quick checks. They read a bounded part of the session, however long it is. */
export async function lcmDoctor(args: unknown, context: ToolContext): Promise<object> {
  readToolArguments(argumentSchema(), args)
  const checks = [...(await checkSession(context)), ...(await checkStore(context))]
  const ok = checks.every((check) => check.ok)
  return {
    ok,
    checks: checks.map((check) => ({ ...check, detail: check.detail.slice(0, DETAIL_CHARACTERS) })),
    advice: ok
      ? 'nothing to do'
      : 'tell the user which checks failed: the store has to be verified and repaired outside of this conversation',
  }
}

async function checkStore({ check }: ToolContext): Promise<readonly Check[]> {
  if (check === undefined) return []
  try {
    const faults = await check()
    const listed = faults.slice(0, LISTED_FAULTS).map(({ code, message }) => `${code}: ${message}`)
    const detail =
      faults.length === 0
        ? 'the store found no fault in itself'
        : `${faults.length} faults: ${listed.join('; ')}`
    return [{ name: 'store', ok: faults.length === 0, detail }]
  } catch (error) {
    return [{ name: 'store', ok: false, detail: errorText(error) }]
  }
}

interface Check {
  readonly name: string
  readonly ok: boolean
  /** One sentence: what was found. */
  readonly detail: string
}

/** Messages whose hashes are checked: the newest ones. */
const HASHED_MESSAGES = 50
/** Summaries whose hashes are checked: those of the frontier, the newest ones. */
const HASHED_SUMMARIES = 200
/** Instructions that may stand before the first message that a summary covers. */
const LEADING_MESSAGES = 50
/** A whole word for the indexes: short ones say little. */
const INDEXED_WORD = /(?<![\p{L}\p{M}\p{N}\p{Co}_])[A-Za-z0-9_]{4,40}(?![\p{L}\p{M}\p{N}\p{Co}_])/u

/** Looks at a session without reading all of it. Each check stands alone: one that fails hides no other. */
async function checkSession({ session, frontier, unsaved }: ToolContext): Promise<readonly Check[]> {
  return Promise.all([
    run('unsaved', async () => checkUnsaved(unsaved?.() ?? 0)),
    run('head', () => checkHead(session)),
    run('frontier', async () => checkFrontier(session, await session.head(), await frontier())),
    run('messages', () => checkMessages(session)),
    run('summaries', async () => checkSummaries(await frontier())),
    run('index', () => checkIndex(session)),
  ])
}

/** A check returns what is in order, and throws what is not. */
async function run(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await check() }
  } catch (error) {
    return { name, ok: false, detail: errorText(error) }
  }
}

async function checkHead(session: LcmSession): Promise<string> {
  const { nextSeq } = await session.head()
  const [newest] = await session.messages({ limit: 1, order: 'newest', includeReplaced: true })
  const last = newest?.seq ?? -1
  if (last === nextSeq - 1) return `${nextSeq} messages are stored`
  // A writer may have been at work between the two reads.
  const again = await session.head()
  if (again.nextSeq !== nextSeq) return `${again.nextSeq} messages are stored, and more are coming`
  throw new Error(`the next message would be ${messageRef(nextSeq)}, but the last one is ${messageRef(last)}`)
}

async function checkFrontier(
  session: LcmSession,
  head: SessionHead,
  { version, nodes }: Frontier,
): Promise<string> {
  const [start] = nodes
  if (start === undefined) return 'nothing was compacted yet'
  const before = await session.messages({ last: start.first - 1, limit: LEADING_MESSAGES })
  const uncovered = start.first === 0 ? undefined : before.find(({ role }) => !isInstructionRole(role))
  if (uncovered !== undefined)
    throw new Error(`${messageRef(uncovered.seq)} stands before all summaries and is in none`)
  for (const [index, node] of nodes.entries()) {
    const following = nodes[index + 1]
    if (following === undefined) break
    if (following.first <= node.last) {
      throw new Error(`${summaryRef(node.number)} and ${summaryRef(following.number)} overlap`)
    }
    const next = nextLive(head.replaced, node.last + 1)
    if (next < following.first) throw new Error(`${rangeRef(next, following.first - 1)} is in no summary`)
  }
  const end = nodes.at(-1)?.last ?? start.last
  if (end >= head.nextSeq) throw new Error(`a summary covers up to ${messageRef(end)}, which is not stored`)
  return `version ${version}: ${nodes.length} summaries cover ${rangeRef(start.first, end)} without a gap`
}

async function checkMessages(session: LcmSession): Promise<string> {
  const messages = await session.messages({ limit: HASHED_MESSAGES, order: 'newest', includeReplaced: true })
  const intact = messages.filter(({ forgotten }) => forgotten === undefined)
  const broken = intact.find((message) => hash('sha256', message.json) !== message.hash)
  if (broken !== undefined)
    throw new Error(`${messageRef(broken.seq)} is not what was stored: its hash is another`)
  return `the newest ${messages.length} messages are what was stored`
}

async function checkSummaries({ nodes }: Frontier): Promise<string> {
  const checked = nodes.slice(-HASHED_SUMMARIES).filter(({ forgotten }) => forgotten === undefined)
  const broken = checked.find((node) => hashSummary(node) !== node.hash)
  if (broken !== undefined)
    throw new Error(`${summaryRef(broken.number)} is not what was stored: its hash is another`)
  return `${checked.length} summaries are what was stored`
}

async function checkIndex(session: LcmSession): Promise<string> {
  const newest = await session.candidates({ where: [], order: 'newest', limit: HASHED_MESSAGES })
  const indexed = newest.find(({ text }) => INDEXED_WORD.test(text))
  const word = indexed === undefined ? undefined : INDEXED_WORD.exec(indexed.text)?.[0]
  if (indexed === undefined || word === undefined) return 'there is no word to look for yet'
  const bounds = { first: indexed.seq, last: indexed.seq, order: 'newest', limit: 1 } as const
  const [found] = await session.candidates({
    ...bounds,
    where: [[{ kind: 'word', text: word }], [{ kind: 'substring', text: word }]],
  })
  if (found === undefined) throw new Error(`the index does not find "${word}" in ${messageRef(indexed.seq)}`)
  return `the index finds the words of ${messageRef(indexed.seq)}`
}

function checkUnsaved(count: number): string {
  if (count === 0) return 'every message is stored'
  throw new Error(
    `${count} messages could not be stored yet: the store cannot be written, or another process has it`,
  )
}
