import {
  type CopyDifference,
  type CopyProgress,
  type CopyResult,
  copyStore,
  type LcmStore,
} from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { count, counted } from '../count.ts'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { checkLcmOptions, LCM, principalOf } from '../engines/lcm-options.ts'
import { withProgress } from '../progress.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { watchSignals } from '../stop-signal.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { openLcmStore } from '../stores/open-engine-store.ts'
import { isSamePlace, type StorePlace } from '../stores/store-place.ts'
import { assertStoreThere } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { assertPrincipal, assertSeesAll, chooseSession } from './choose-session.ts'
import { firstLines, printJson, printLines } from './output.ts'
import { printable } from './printable.ts'

export interface CopyFlags {
  readonly config?: string
  /** Only the sessions of this user or tenant. Default: all; with `session`, as every command has it. */
  readonly principal?: string
  /** Only this session, and what it was forked from. */
  readonly session?: string
  readonly json?: boolean
}

/** The exit code of a command that was told to end. */
const EXIT_STOPPED = 130

/** The two stores of a copy, and what of them is copied. */
interface Copy {
  readonly from: { readonly place: StorePlace; readonly store: LcmStore }
  readonly to: { readonly place: StorePlace; readonly store: LcmStore }
  readonly choice: Parameters<typeof copyStore>[2]
}

/**
 * `palimpsest lcm copy`: the sessions of one store into another one, each proved by reading both. The exit code is 1 when
 * one of them is not the same at both ends then.
 */
export async function copy(from: string, to: string, flags: CopyFlags): Promise<number> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  await checkLcmOptions(configuration)
  const source = placeOf(from, '<from>', process.cwd(), configuration)
  const target = placeOf(to, '<to>', process.cwd(), configuration)
  if (isSamePlace(source, target))
    throw new UsageError(`${target.name} is where the sessions are; name another store to copy them into`)
  const store = await openLcmStore(source, 'read')
  try {
    await assertStoreThere(source, store, 'the first argument is where the sessions are')
    const choice = await choose({ place: source, store }, configuration, flags)
    const destination = await openLcmStore(target, 'create')
    try {
      const ends = { from: { place: source, store }, to: { place: target, store: destination } }
      return await run({ ...ends, choice }, flags)
    } finally {
      await destination.close()
    }
  } finally {
    await store.close()
  }
}

async function choose(
  opened: Copy['from'],
  { config }: Configuration,
  flags: CopyFlags,
): Promise<Copy['choice']> {
  const options = config.engines[LCM] ?? {}
  const principal = flags.principal ?? principalOf(options)
  if (flags.session !== undefined) {
    const { key } = await chooseSession({ ...opened, principal, options }, flags.session)
    return { sessions: [{ principal, key }] }
  }
  if (flags.principal === undefined) {
    await assertSeesAll({ ...opened, principal, options })
    return {}
  }
  await assertPrincipal({ ...opened, principal, options })
  return { principal }
}

async function run({ from, to, choice }: Copy, { json = false }: CopyFlags): Promise<number> {
  const { signal, close } = watchSignals()
  let seen: CopyProgress | undefined
  try {
    const result = await withProgress('copying', 'messages', (onBar) =>
      copyStore(from.store, to.store, {
        ...choice,
        signal,
        onProgress(progress) {
          seen = progress
          onBar(progress.messages, progress.of.messages)
        },
      }),
    )
    tell(result, { from: from.place.name, to: to.place.name }, json)
    return result.differences.length === 0 ? 0 : EXIT_FOUND
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
    process.stderr.write(`palimpsest: ${stoppedText(seen)}\n`)
    return EXIT_STOPPED
  } finally {
    close()
  }
}

function tell(result: CopyResult, names: { readonly from: string; readonly to: string }, json: boolean) {
  if (!json) return printLines(...renderCopy(result, names))
  const { differences, ...counts } = result
  const sessions = differences.map(({ principal, key: session, code, reason }) => ({
    ...{ principal, session, code, reason },
  }))
  printJson({ ok: sessions.length === 0, ...names, ...counts, differences: sessions })
}

function stoppedText(seen: CopyProgress | undefined): string {
  const place =
    seen === undefined ? '' : ` behind ${count(seen.sessions)} of ${counted(seen.of.sessions, 'session')}`
  return `stopped${place}; each session is whole or not there, run the same command again for the rest`
}

function renderCopy(
  result: CopyResult,
  { from, to }: { readonly from: string; readonly to: string },
): string[] {
  const { copied, upToDate, written, messages, sha256, differences } = result
  const equal = `${counted(copied + upToDate, 'session')} with ${counted(messages, 'message')}`
  const proof = `equal in both stores: ${equal}, sha256 ${sha256}`
  const fault = `${counted(differences.length, 'session')} ${differences.length === 1 ? 'is' : 'are'} not equal; ${proof}`
  return [
    `${from} → ${to}`,
    ...firstLines(differences.map(differenceLine)),
    `${counted(copied, 'session')} copied, ${counted(written, 'new message')}; ${counted(upToDate, 'session')} up to date`,
    differences.length === 0 ? colors.green(proof) : colors.red(fault),
  ]
}

/** With whose session it is: several principals may have sessions of the same name. */
function differenceLine({ code, principal, key, reason }: CopyDifference): string {
  return `${colors.red(code)}  ${printable(key)} (of ${printable(principal)}): ${printable(reason)}`
}
