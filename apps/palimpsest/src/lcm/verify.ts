import { listSessions, type StoreFault, verifySession, verifyStore } from '@palimpsest/lcm'
import { readTranscript } from '@palimpsest/transcripts'
import { colors } from '../colors.ts'
import { count, counted } from '../count.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { assertPrincipal, assertSeesAll, chooseSession, type SessionFlags } from './choose-session.ts'
import { compareRecording } from './compare-recording.ts'
import { firstLines, printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { sessionOf } from './session-of.ts'
import { DAMAGE_ADVICE, type OpenedStore, withStore } from './with-store.ts'

export interface VerifyFlags extends SessionFlags {
  /** A recording that the session must give back. */
  readonly against?: string
}

/** Faults that are shown before the rest is only counted. */
const SHOWN_FAULTS = 40

/** `palimpsest lcm verify`. The exit code is 1 when something is not as it was stored. */
export async function verify(flags: VerifyFlags): Promise<number> {
  const { against } = flags
  return withStore(flags, 'check', async (opened) =>
    against === undefined ? prove(opened, flags) : compare(opened, flags, against),
  )
}

async function prove(opened: OpenedStore, flags: VerifyFlags): Promise<number> {
  const { sessions, messages, faults } = await withProgress('verifying', 'messages', (onProgress) =>
    flags.session !== undefined
      ? proveOne(opened, flags.session, onProgress)
      : flags.principal !== undefined
        ? proveOwn(opened, onProgress)
        : proveAll(opened, onProgress),
  )
  const ok = faults.length === 0
  if (flags.json) printJson({ ok, sessions, messages, faults })
  else {
    printLines(...renderFaults(faults))
    const looked = `${counted(messages, 'message')} in ${counted(sessions, 'session')}`
    printLines(
      ok
        ? colors.green(`verified: ${looked}, no fault`)
        : colors.red(
            `${counted(faults.length, 'fault')} in ${looked}; ${isBelowTables(faults) ? DAMAGE_ADVICE : 'palimpsest lcm doctor says what can be mended'}`,
          ),
    )
  }
  return ok ? 0 : EXIT_FOUND
}

interface Proof {
  readonly sessions: number
  readonly messages: number
  readonly faults: readonly StoreFault[]
}

type OnProgress = (done: number, total: number) => void

async function proveAll(opened: OpenedStore, onProgress: OnProgress): Promise<Proof> {
  await assertSeesAll(opened)
  let [sessions, messages] = [0, 0]
  const faults = await verifyStore(opened.store, {
    onProgress(progress) {
      sessions = progress.sessions
      messages = progress.messages
      onProgress(messages, progress.of.messages)
    },
  })
  return { sessions, messages, faults }
}

/** The sessions of one principal, one after the other. */
async function proveOwn(opened: OpenedStore, onProgress: OnProgress): Promise<Proof> {
  await assertPrincipal(opened)
  let [sessions, messages] = [0, 0]
  const faults: StoreFault[] = []
  for await (const { key } of listSessions(opened.store, opened.principal)) {
    const proof = await proveOne(opened, key, (done, total) => onProgress(messages + done, messages + total))
    sessions++
    messages += proof.messages
    faults.push(...proof.faults)
  }
  return { sessions, messages, faults }
}

/** True when SQLite itself cannot read its file: the doctor has nothing to mend then. */
function isBelowTables(faults: readonly StoreFault[]): boolean {
  return faults.some(({ code }) => code === 'damaged-file')
}

async function proveOne(opened: OpenedStore, key: string, onProgress: OnProgress): Promise<Proof> {
  const session = await chooseSession(opened, key)
  const { nextSeq } = await session.head()
  let messages = 0
  const faults = await verifySession(session, {
    onMessages(count) {
      messages += count
      onProgress(messages, nextSeq)
    },
  })
  return { sessions: 1, messages, faults }
}

/** One line a fault, with what it is about. */
export function renderFaults(faults: readonly StoreFault[]): readonly string[] {
  const lines = faults.map(({ code, key, ref, message }) => {
    const place = [key, ref].filter((part) => part !== undefined).join(' ')
    return `${colors.red(code)}  ${place === '' ? '' : `${printable(place)}: `}${printable(message)}`
  })
  return firstLines(lines)
}

async function compare(opened: OpenedStore, flags: VerifyFlags, file: string): Promise<number> {
  const { entries } = await withProgress('reading', 'bytes', (onProgress) =>
    readTranscript(file, { onProgress }),
  )
  const session = await chooseSession(opened, flags.session ?? sessionOf(file))
  const result = await withProgress('comparing', 'messages', (onProgress) =>
    compareRecording(session, entries, (done) => onProgress(done, entries.length)),
  )
  const { messages, equal, different, forgotten, missing, summaries, throughSummaries } = result
  const { further, repeated } = result
  const ok = equal + forgotten.length === messages && result.unreached.length === 0 && !repeated
  if (flags.json) {
    printJson({ ok, session: session.key, ...result })
    return ok ? 0 : EXIT_FOUND
  }
  const line = `${printable(session.key)}: ${counted(messages, 'message')} in the file, ${count(equal)} equal byte for byte`
  printLines((ok ? colors.green : colors.red)(line))
  if (forgotten.length > 0) printLines(`${counted(forgotten.length, 'message')} deleted on request`)
  if (missing > 0) printLines(colors.red(`${counted(missing, 'message')} of the file not in the store`))
  if (different.length > 0) printLines(colors.red(`different: ${different.slice(0, SHOWN_FAULTS).join(' ')}`))
  printLines(
    `${counted(throughSummaries, 'message')} reached through ${counted(summaries, 'summary', 'summaries')}`,
  )
  if (result.unreached.length > 0)
    printLines(colors.red(`not reached: ${result.unreached.slice(0, SHOWN_FAULTS).join(' ')}`))
  if (further > 0) printLines(`the session goes on with ${counted(further, 'message')}`)
  if (repeated) printLines(colors.red('these begin with all messages of the file again: it was stored twice'))
  return ok ? 0 : EXIT_FOUND
}
