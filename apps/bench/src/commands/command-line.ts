import { basename, isAbsolute } from 'node:path'
import type { Command } from 'commander'

/** Where the results go changes none of them. */
const WITHOUT_EFFECT = 'json'
/** Where sessions lie on this machine is nobody else's business. */
const FOLDER = 'data'

/** The call that makes a run again: what was given, places on this machine by their last name. */
export function commandLine(command: Command): string {
  const given = command.options
    .map((option) => ({ name: option.attributeName(), flag: option.long }))
    .filter(({ name }) => command.getOptionValueSource(name) === 'cli' && name !== WITHOUT_EFFECT)
  return [
    `bench ${command.name()}`,
    ...given.map(({ name, flag }) => argument(flag ?? '', name, command.getOptionValue(name))),
  ].join(' ')
}

function argument(flag: string, name: string, value: unknown): string {
  if (value === true) return flag
  const isPlace = name === FOLDER || isAbsolute(String(value))
  const text = isPlace ? basename(String(value)) : String(value)
  return `${flag} ${/\s/.test(text) ? `"${text}"` : text}`
}
