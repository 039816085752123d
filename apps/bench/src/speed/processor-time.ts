import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes the milliseconds of the processor that a process took, when it ends. A service ends when it listens. */
const REPORT = `const { writeSync } = require('node:fs')
const { write } = process.stdout
process.stdout.write = (text, ...more) => {
  if (/ is listening /.test(text)) setTimeout(() => process.kill(process.pid, 'SIGTERM'), 20)
  return write.call(process.stdout, text, ...more)
}
process.on('exit', () => writeSync(3, String(process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000)))`

/**
 * Milliseconds of the processor that a process of Node takes, from its start to its end.
 *
 * @param folder for what it keeps: its home and compiled code.
 */
export function processorTime(folder: string, args: readonly string[], input = ''): number {
  const report = join(folder, 'report.cjs')
  writeFileSync(report, REPORT)
  // Sources import sources.
  const conditions = process.execArgv.filter(
    (option, index, all) => option.startsWith('--conditions') || all[index - 1] === '--conditions',
  )
  const { status, output, stderr } = spawnSync(
    process.execPath,
    [...conditions, '--require', report, ...args],
    {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, PALIMPSEST_HOME: folder, XDG_CACHE_HOME: folder },
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    },
  )
  if (status === 0) return Number(output[3])
  throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
}
