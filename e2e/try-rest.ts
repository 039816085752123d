import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandFaults } from './command-faults.ts'
import type { ExampleHost } from './example-host.ts'
import type { FencedBlock } from './fenced-blocks.ts'
import type { CommandOutput } from './run-command.ts'
import { isPrinted } from './run-guide.ts'

/** The outcome of the blocks of a README. */
export interface Tried {
  /** Faults that a reader finds. */
  readonly faults: readonly string[]
  /** The number of lines and programs that ran. */
  readonly ran: number
  /** Blocks that did not run, each with its reason. */
  readonly left: readonly string[]
}

export interface RestSettings {
  readonly host: ExampleHost
  /** A folder where the packages of the README are installed. */
  readonly folder: string
  readonly run: (command: string) => Promise<CommandOutput>
  /** The output before the blocks: a `text` block that comes first is compared with it. */
  readonly printed?: string
}

/** A server in an example would run for ever. */
const END = 'setTimeout(() => process.exit(0), 10_000).unref()'

/**
 * Tries blocks of a README in their order: each line of a `sh` block is a command,
 * each `ts` block a program, a `text` block behind them is what they print, `yaml` with the comment `# config.yaml` is that file, and `json`
 * must be JSON. Nothing is passed over in silence: the rest is in `left`.
 */
export async function tryRest(
  blocks: readonly FencedBlock[],
  { host, folder, run, printed: before = '' }: RestSettings,
): Promise<Tried> {
  const { before: own = '', cannot = {}, after = {}, files = {} } = host.rest ?? {}
  const faults: string[] = []
  const left: string[] = []
  const unused = new Set([cannot, after, files].flatMap(Object.keys))
  const find = (texts: Readonly<Record<string, string>>, text: string): string | undefined => {
    const key = Object.keys(texts).find((part) => text.includes(part))
    if (key !== undefined) unused.delete(key)
    return key === undefined ? undefined : texts[key]
  }
  let ran = 0
  let printed: string | undefined = before
  const attempt = async (command: string, what: string): Promise<void> => {
    ran++
    const output = await run(command)
    printed = output.stdout
    faults.push(...commandFaults(command, output, host).map((fault) => `${what}: ${fault}`))
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'before-rest.mts'), [host.before ?? '', own, END].join('\n'))
  for (const { language, text, line } of blocks) {
    const name = `the ${language} block of line ${line}`
    const commands = language === 'sh' || language === 'bash' ? linesOf(text) : []
    for (const command of commands) {
      const reason = find(cannot, command)
      if (reason === undefined) await attempt(command, command)
      else left.push(`${command}: ${reason}`)
    }
    if (commands.length > 0) continue
    const reason = find(cannot, text)
    const file = find(files, text)
    if (reason !== undefined) left.push(`${name}: ${reason}`)
    else if (file !== undefined) await writeFile(join(folder, file), text)
    else if (language === 'ts') {
      await writeFile(join(folder, `line-${line}.mts`), `${text}\n${find(after, text) ?? ''}`)
      await attempt(`node --import ./before-rest.mts line-${line}.mts`, name)
      continue
    } else if (language === 'yaml' && text.startsWith('# config.yaml\n'))
      await writeFile(join(folder, 'config.yaml'), text)
    else if (language === 'json') JSON.parse(text)
    else if (language === 'text' && printed !== undefined) {
      if (!isPrinted(text, printed)) faults.push(`${name} is not what was printed:\n${printed}`)
    } else faults.push(`${name} can neither run nor be compared: say why`)
    printed = undefined
  }
  faults.push(...[...unused].map((part) => `no block has "${part}"`))
  return { faults, ran, left }
}

/** Commands without their comments. A backslash continues a line. */
function linesOf(text: string): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '')
}
