import { type Command, InvalidArgumentError, type Option } from 'commander'
import { parseCount } from '../parse-numbers.ts'

export const CONFIG_OPTION = [
  '--config <file>',
  'read this configuration and no other (default: config.yaml in this folder, and what it leaves out in your own folder)',
] as const

export const ROLES = ['user', 'assistant', 'tool', 'system', 'developer']

export const PROFILE_OPTION = ['--profile <name>', "the engine's profile, such as seed of decisions"] as const

export function storeCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option(
      '--store <file or address>',
      'the store: a file, or postgres://… (default: PALIMPSEST_STORE_URL, else store.url of the configuration)',
    )
    .option(...CONFIG_OPTION)
    .option('--json', 'print JSON')
}

export function ownedCommand(parent: Command, name: string, description: string): Command {
  return storeCommand(parent, name, description).option(
    '--principal <name>',
    'the owner: a user or a tenant (default: store.principal of the configuration, else local)',
    parseName,
  )
}

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

export function run<Args extends unknown[]>(action: (...args: Args) => Promise<number>) {
  return async (...args: Args): Promise<void> => {
    process.exitCode = await action(...args)
  }
}
