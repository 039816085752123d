import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import type { StoreFault } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { assertSeesAll } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { renderFaults } from './verify.ts'
import { DAMAGE_ADVICE, type StoreFlags, withStore } from './with-store.ts'

export interface DoctorFlags extends StoreFlags {
  readonly repair?: boolean
}

const MENDS = 'makes indexes and counters anew from the texts'
/** `--repair`, with the copy that is made before. */
const REPAIR: Readonly<Record<StorePlace['kind'], string>> = {
  file: `copies the file, then ${MENDS}`,
  postgres: `${MENDS} (without a copy: pg_dump makes one)`,
}

const ADVICE = `What cannot be mended: ${DAMAGE_ADVICE}`

/**
 * `palimpsest lcm doctor`: what is wrong with the store, and what could be mended. With `--repair` it is; of a file, a
 * copy is made before, a database has its own ways. The exit code is 1 while something is wrong.
 */
export async function doctor(flags: DoctorFlags): Promise<number> {
  const found = await withStore(flags, 'check', async (opened) => {
    await assertSeesAll(opened)
    return { place: opened.place, faults: await opened.store.check() }
  })
  const { place, faults } = found
  const mendable = faults.filter(({ repairable }) => repairable)
  if (!flags.repair || mendable.length === 0) {
    report(flags, { faults, mendable, place })
    return faults.length === 0 ? 0 : EXIT_FOUND
  }
  const backup = place.kind === 'file' ? await backUpStore(place.path) : undefined
  if (!flags.json)
    printLines(...renderFaults(faults), ...(backup === undefined ? [] : [`the file as it was is ${backup}`]))
  const left = await withStore(flags, 'write', ({ store }) => store.repair())
  if (flags.json)
    printJson({
      ok: left.length === 0,
      repaired: faults.length - left.length,
      backup: backup ?? null,
      faults: left,
    })
  else {
    printLines(
      colors.green(`${counted(faults.length - left.length, 'fault')} mended: indexes and counters made anew`),
    )
    if (left.length > 0)
      printLines(colors.red(`${counted(left.length, 'fault')} left:`), ...renderFaults(left), ADVICE)
  }
  return left.length === 0 ? 0 : EXIT_FOUND
}

interface Findings {
  readonly faults: readonly StoreFault[]
  readonly mendable: readonly StoreFault[]
  readonly place: StorePlace
}

function report({ json, repair }: DoctorFlags, { faults, mendable, place }: Findings): void {
  const ok = faults.length === 0
  if (json) {
    printJson({ ok, repairable: mendable.length, faults })
    return
  }
  printLines(...renderFaults(faults))
  if (ok)
    printLines(colors.green('the store found no fault in itself; palimpsest lcm verify proves every message'))
  else if (repair) printLines(colors.red(`nothing of this can be mended. ${ADVICE}`))
  else if (mendable.length === 0) printLines(colors.red(ADVICE))
  else
    printLines(
      `--repair ${REPAIR[place.kind]}, which mends ${mendable.length} of ${counted(faults.length, 'fault')}; no text is touched`,
    )
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
