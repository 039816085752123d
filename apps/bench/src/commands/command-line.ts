import { basename, isAbsolute } from 'node:path'
import type { Command } from 'commander'
import type { Part } from './bench-options.ts'

/** Where else the results go changes none of them. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['json', 'html'])
/** Where sessions lie on this machine is nobody else's business. */
const FOLDER = 'data'

/** The command that makes a report again: what was given, places on this machine by their last name. */
export function commandLine(part: Part | undefined, command: Command): string {
  const given = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === 'cli' && !WITHOUT_EFFECT.has(name))
  return [
    'pnpm bench',
    ...(part === undefined ? [] : [part]),
    ...given.map((name) => flag(name, command.getOptionValue(name))),
  ].join(' ')
}

function flag(name: string, value: unknown): string {
  if (value === true) return `--${name}`
  const isPlace = name === FOLDER || isAbsolute(String(value))
  const text = isPlace ? basename(String(value)) : String(value)
  return `--${name} ${/\s/.test(text) ? `"${text}"` : text}`
}
