import { InvalidOptionError } from '@palimpsest/core'

/** Refuses an id that no session may be made under. @throws InvalidOptionError `key` */
export function checkKey(key: string): void {
  if (typeof key === 'string' && key !== '') return
  throw new InvalidOptionError(
    'key',
    'the id of a session must be a text that is not empty, such as "talk-1"',
  )
}
