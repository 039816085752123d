import { readConversationKey, type Scope } from '@palimpsest/decisions'

const SESSION = 'session:'

/**
 * The scopes without those of conversations that their session has left behind: the engine marks a new one after a reset
 * with `~2`, the service one that was begun anew with `#2`. What was decided in an old one is on record and holds no more.
 *
 * @param keys Every session of the store: the newest conversation may have decided nothing yet.
 */
export function newestScopes(scopes: readonly Scope[], keys: readonly string[]): readonly Scope[] {
  const newest = new Map<string, Place>()
  const places = new Map<string, Place>()
  for (const key of [...keys, ...scopes.flatMap((scope) => keyOf(scope) ?? [])]) {
    const place = placeOf(key)
    places.set(key, place)
    const before = newest.get(place.session)
    if (before === undefined || isBefore(before, place)) newest.set(place.session, place)
  }
  return scopes.filter((scope) => {
    const place = places.get(keyOf(scope) ?? '')
    const last = place && newest.get(place.session)
    return place === undefined || last === undefined || !isBefore(place, last)
  })
}

/** A conversation: the session, how often the service began it anew, and how often it was reset since. */
interface Place {
  readonly session: string
  readonly epoch: number
  readonly number: number
}

function placeOf(key: string): Place {
  const { sessionId, number } = readConversationKey(key)
  const [, session = sessionId, epoch = '1'] = /^(.+)#(\d{1,9})$/s.exec(sessionId) ?? []
  return { session, epoch: Number(epoch), number }
}

function isBefore(one: Place, other: Place): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.number < other.number)
}

function keyOf(scope: Scope): string | undefined {
  return scope.startsWith(SESSION) ? scope.slice(SESSION.length) : undefined
}
