import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RatioRow, timeRow } from './ratio-row.ts'
import { createSamples } from './time.ts'

/** Writes the milliseconds of the processor that a process took, when it ends. */
const REPORT = `import { writeSync } from 'node:fs'
  process.on('exit', () => writeSync(3, String(process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000)))`

const importOf = (name: string): string[] => ['--input-type=module', '--eval', `import '@palimpsest/${name}'`]

export interface StartInput {
  /** The file that is the command line. */
  readonly main: string
  readonly runs: number
}

/** Starts of commands and imports of packages, each in a process of its own, against a process that does nothing. */
export function measureStart({ main, runs }: StartInput): RatioRow[] {
  const started: Readonly<Record<string, { readonly args: readonly string[]; readonly target?: number }>> = {
    'palimpsest --help': { args: [main, '--help'], target: 3 },
    'import tokens': { args: importOf('tokens'), target: 2.5 },
    'import lcm': { args: importOf('lcm') },
    'import decisions': { args: importOf('decisions') },
  }
  return Object.entries(started).map(([operation, { args, target }]) => {
    const samples = createSamples<'measured' | 'floor'>()
    // The first start of each fills caches of files, which a trial leaves out.
    for (let run = runs > 1 ? -1 : 0; run < runs; run++) {
      samples.isCounting = run >= 0
      samples.add('measured', processorTime(args))
      samples.add('floor', processorTime(['--eval', '0']))
    }
    const pair = { measured: samples.timing('measured'), floor: samples.timing('floor') }
    const row = { operation: `start: ${operation}`, messages: 0, against: 'node -e 0' }
    return timeRow(target === undefined ? row : { ...row, target }, pair)
  })
}

function processorTime(args: readonly string[]): number {
  // Sources import sources.
  const conditions = process.execArgv.filter(
    (option, index, all) => option.startsWith('--conditions') || all[index - 1] === '--conditions',
  )
  const { status, output, stderr } = spawnSync(
    process.execPath,
    [...conditions, '--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, ...args],
    {
      cwd: dirname(fileURLToPath(import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  )
  if (status === 0) return Number(output[3])
  throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
}
