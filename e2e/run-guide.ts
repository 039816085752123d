import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type FencedBlock, fencedBlocks } from './fenced-blocks.ts'
import { type CommandOutput, describeOutput, runCommand } from './run-command.ts'

export interface GuideSettings {
  /** Where the reader begins: every block of commands starts here, and paths of files are relative to it. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * Does what a guide says, block by block, and returns how many blocks it had to do:
 *
 * - a block whose info string has `file=<path>` is written to that path, and a `diff` block changes that file;
 * - the lines of a `sh` block are run by one bash, which stops behind the first that fails; a backslash continues a
 *   line;
 * - a `text` block behind a `sh` block is what that block prints, and `…` in it stands for anything.
 *
 * Other blocks are for the reader only. Rejects with the line of the block and the whole output if a command fails, npm
 * warns, or the output is another one.
 */
export async function runGuide(
  markdown: string,
  { folder, env }: GuideSettings,
): Promise<{ readonly files: number; readonly commands: number }> {
  const done = { files: 0, commands: 0 }
  let printed: CommandOutput | undefined
  for (const block of fencedBlocks(markdown)) {
    const path = /(?:^|\s)file=(\S+)/.exec(block.info)?.[1]
    if (path !== undefined) {
      await writeBlock(resolve(folder, path), block)
      done.files++
    } else if (block.language === 'sh') {
      printed = await runBlock(block, { folder, env })
      done.commands++
      continue
    } else if (block.language === 'text' && printed !== undefined) {
      expectPrinted(block, printed)
    }
    printed = undefined
  }
  return done
}

async function writeBlock(path: string, { text, language }: FencedBlock): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, language === 'diff' ? applyDiff(await readFile(path, 'utf8'), text) : text)
}

/** Changes a text as a diff says. `@@` separates its parts, each of which has one place in the text. */
export function applyDiff(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((changed, part) => {
    const without = (sign: string) =>
      part.replaceAll(new RegExp(`^\\${sign}.*\\n`, 'gm'), '').replaceAll(/^./gm, '')
    const [before, after] = [without('+'), without('-')]
    if (changed.split(before).length !== 2)
      throw new Error(`this is not exactly once in the file that the diff changes:\n${before}`)
    return changed.replace(before, () => after)
  }, text)
}

async function runBlock({ text, line }: FencedBlock, { folder, env }: GuideSettings): Promise<CommandOutput> {
  // Not `bash -e`, which goes on when `a` of `a && b` fails.
  const script = text.replaceAll(/(?<!\\)\n/g, '\nstatus=$?; [ $status = 0 ] || exit $status\n')
  const output = await runCommand('bash', ['-c', script], { cwd: folder, env })
  const warns = output.stderr.split('\n').some((printed) => printed.startsWith('npm warn'))
  if (output.code === 0 && !warns) return output
  throw new Error(
    `the block of line ${line} ${warns ? 'warns and ' : ''}${describeOutput(output)}\nIt is:\n${text}`,
  )
}

/** True when a command printed a text, in which `…` stands for anything. */
export function isPrinted(text: string, stdout: string): boolean {
  const escaped = text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(escaped.replaceAll('…', '[\\s\\S]*?')).test(stdout)
}

function expectPrinted({ text, line }: FencedBlock, output: CommandOutput): void {
  if (isPrinted(text, output.stdout)) return
  throw new Error(
    `the block before line ${line} does not print this, it ${describeOutput(output)}\nThis is:\n${text}`,
  )
}
