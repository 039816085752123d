import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { listSessions, type StoreFault, verifySession, verifyStore } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import { assertPrincipal, assertSeesAll, chooseSession, type SessionFlags } from './choose-session.ts'
import { firstLines, printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { DAMAGE_ADVICE, type OpenedStore, withStore } from './with-store.ts'

export interface VerifyFlags extends SessionFlags {
  /** Makes indexes anew. */
  readonly repair?: boolean
}

/**
 * `palimpsest lcm verify`. With `--repair` the store mends what follows from the texts; of a file, a copy is made before, a
 * database has its own ways. The exit code is 1 while something is not as it was stored.
 */
export async function verify(flags: VerifyFlags): Promise<number> {
  const { session, principal, repair = false } = flags
  if (repair && (session !== undefined || principal !== undefined))
    throw new UsageError('--repair mends the whole store: leave out --session and --principal')
  const proof = await withStore(flags, 'check', (opened) =>
    withProgress('verifying', 'messages', (onProgress) => prove(opened, flags, onProgress)),
  )
  const { sessions, messages, faults } = proof
  const mendable = faults.filter(({ repairable }) => repairable)
  if (!repair || mendable.length === 0) {
    const ok = faults.length === 0
    if (flags.json) printJson({ ok, sessions, messages, repairable: mendable.length, faults })
    else printProof(proof, mendable.length)
    return ok ? 0 : EXIT_FOUND
  }
  const copy = await withStore(flags, 'check', async ({ place }) =>
    place.kind === 'file' ? backUpStore(place.path) : null,
  )
  await withStore(flags, 'write', ({ store }) => store.repair())
  const { faults: left } = await withStore(flags, 'check', (opened) => prove(opened, flags, () => {}))
  const ok = left.length === 0
  const repaired = faults.length - left.length
  if (flags.json) printJson({ ok, sessions, messages, repaired, backup: copy, faults: left })
  else {
    if (copy !== null) printLines(`the file as it was is ${copy}`)
    printLines(colors.green(`${counted(repaired, 'fault')} mended: indexes made anew`))
    if (!ok) printProof({ sessions, messages, faults: left }, 0)
  }
  return ok ? 0 : EXIT_FOUND
}

interface Proof {
  readonly sessions: number
  readonly messages: number
  readonly faults: readonly StoreFault[]
}

type OnProgress = (done: number, total: number) => void

function prove(opened: OpenedStore, flags: VerifyFlags, onProgress: OnProgress): Promise<Proof> {
  if (flags.session !== undefined) return proveOne(opened, flags.session, onProgress)
  return flags.principal === undefined ? proveAll(opened, onProgress) : proveOwn(opened, onProgress)
}

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

function printProof({ sessions, messages, faults }: Proof, mendable: number): void {
  const looked = `${counted(messages, 'message')} in ${counted(sessions, 'session')}`
  if (faults.length === 0) {
    printLines(colors.green(`verified: ${looked}, no fault`))
    return
  }
  const lines = faults.map(({ code, key, ref, message }) => {
    const place = [key, ref].filter((part) => part !== undefined).join(' ')
    return `${colors.red(code)}  ${place === '' ? '' : `${printable(place)}: `}${printable(message)}`
  })
  const advice = mendable > 0 ? `--repair mends ${mendable} of them; no text is touched` : DAMAGE_ADVICE
  printLines(...firstLines(lines), colors.red(`${counted(faults.length, 'fault')} in ${looked}; ${advice}`))
}

/**
 * Copies the file of a store, with what stands in its write-ahead log, while others may use it. The copy is
 * `<file>.before-repair-<n>`, readable by its owner alone. Returns its path.
 */
async function backUpStore(path: string): Promise<string> {
  let number = 1
  while (existsSync(`${path}.before-repair-${number}`)) number++
  const copy = `${path}.before-repair-${number}`
  const made = await open(copy, 'wx', 0o600)
  await made.close()
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(source, copy)
  } finally {
    source.close()
  }
  return copy
}
