import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { listSessions, type StoreFault } from '@palimpsest/core'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { assertSeesAll } from '../lcm/choose-session.ts'
import { firstLines, printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { type OpenedStore, type StoreFlags, withStore } from './with-store.ts'

export interface VerifyFlags extends StoreFlags {
  readonly repair?: boolean
}

export async function verifyStore(flags: VerifyFlags): Promise<number> {
  const proof = await withStore(flags, 'read', prove)
  const { faults, ...looked } = proof
  const repairable = faults.filter((fault) => fault.repairable).length
  if (!flags.repair || repairable === 0) {
    const ok = faults.length === 0
    if (flags.json) printJson({ ok, ...looked, repairable, faults })
    else printProof(proof)
    return ok ? 0 : EXIT_FOUND
  }
  const [copy, left] = await withStore(flags, 'write', async ({ store, place }) => [
    place.kind === 'file' ? await backUpStore(place.path) : null,
    await store.repair(),
  ])
  const ok = left.length === 0
  const repaired = faults.length - left.length
  if (flags.json) printJson({ ok, ...looked, repaired, backup: copy, faults: left })
  else {
    if (copy !== null) printLines(`the file as it was is ${copy}`)
    printLines(colors.green(`${counted(repaired, 'fault')} mended: the index was made anew`))
    if (!ok) printProof({ ...looked, faults: left })
  }
  return ok ? 0 : EXIT_FOUND
}

interface Proof {
  readonly sessions: number
  readonly messages: number
  readonly faults: readonly StoreFault[]
}

async function prove(opened: OpenedStore): Promise<Proof> {
  const { store } = opened
  await assertSeesAll(opened)
  let [sessions, total] = [0, 0]
  for await (const session of listSessions(store)) {
    sessions++
    total += session.messages
  }
  let messages = 0
  const faults = await withProgress('verifying', (onProgress) =>
    store.verify({
      onMessages(count) {
        messages += count
        onProgress(messages, total)
      },
    }),
  )
  return { sessions, messages, faults }
}

function printProof({ sessions, messages, faults }: Proof): void {
  const looked = `${counted(messages, 'message')} in ${counted(sessions, 'session')}`
  if (faults.length === 0) {
    printLines(colors.green(`verified: ${looked}, no fault`))
    return
  }
  const lines = faults.map(({ code, key, message }) => {
    const place = key === undefined ? '' : `${printable(key)}: `
    return `${colors.red(code)}  ${place}${printable(message)}`
  })
  const repairable = faults.filter((fault) => fault.repairable).length
  const advice =
    repairable > 0
      ? `--repair mends ${repairable} of them; no text is touched`
      : 'take an older copy of what is damaged'
  printLines(...firstLines(lines), colors.red(`${counted(faults.length, 'fault')} in ${looked}; ${advice}`))
}

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
