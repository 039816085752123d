import { randomBytes } from 'node:crypto'
import type { Clock } from '@palimpsest/core'

/**
 * A new id: the time, so that files sort by it, and something that two chats of one second do not share, on whichever
 * machines: they may keep what they know in one database.
 */
export function chatId(clock: Clock): string {
  const [day = '', time = ''] = new Date(clock.now()).toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return `${day}-${time}-${randomBytes(4).toString('hex')}`
}
