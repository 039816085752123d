import { type Command, InvalidArgumentError, type Option } from 'commander'
import { parseCount } from '../parse-numbers.ts'

export const CONFIG_OPTION = [
  '--config <file>',
  'the only configuration (default: config.yaml in this folder, over your own)',
] as const

export const PROFILE_OPTION = ['--profile <name>', "the engine's profile, such as seed of decisions"] as const

interface StoreCommandsInput {
  readonly parent: Command
  /** The block of the configuration that names the store. */
  readonly block: 'lcm' | 'decisions'
  /** The plural of what a principal has there. */
  readonly content: string
}

/** Makes commands of a group on a store. */
export interface StoreCommands {
  /** With `--store`, `--config` and `--json`. */
  command(name: string, description: string): Command
  /** And with `--principal`. */
  ownedCommand(name: string, description: string): Command
  /** `copy <from> <to>`. */
  copyCommand(description: string, principal: string): Command
}

export function createStoreCommands({ parent, block, content }: StoreCommandsInput): StoreCommands {
  const command = (name: string, description: string) =>
    parent
      .command(name)
      .description(description)
      .option(
        '--store <file or address>',
        `the store (default: ${block}.store or store.url of the configuration)`,
      )
      .option(...CONFIG_OPTION)
      .option('--json', 'print JSON')
  return {
    command,
    ownedCommand: (name, description) =>
      command(name, description).option(
        '--principal <name>',
        `the owner of the ${content}: a user or a tenant (default: local)`,
        parseName,
      ),
    copyCommand: (description, principal) =>
      parent
        .command('copy')
        .description(description)
        .argument('<from>', 'the store to copy: a file, or the address of a database')
        .argument('<to>', 'the store to copy into; it is made when there is none')
        .option('--principal <name>', principal, parseName)
        .option(...CONFIG_OPTION)
        .option('--json', 'print JSON'),
  }
}

/** An option that takes one of a few words, and may be given several times. */
export function repeatable(option: Option, words: readonly string[]): Option {
  const check = option.choices(words).parseArg
  return option.argParser((word: string, before: readonly string[] = []) => {
    check?.(word, undefined)
    return [...before, word]
  })
}

export function parseName(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

export function parsePositive(text: string): number {
  const count = parseCount(text)
  if (count > 0) return count
  throw new InvalidArgumentError('Use a whole number from 1 on, such as 20.')
}

/** An action whose result is the exit code. */
export function run<Args extends unknown[]>(action: (...args: Args) => Promise<number>) {
  return async (...args: Args): Promise<void> => {
    process.exitCode = await action(...args)
  }
}
