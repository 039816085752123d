import { exportStore, listSessions, type SessionRef } from '@palimpsest/lcm'
import { isSecured } from '../stores/store-place.ts'
import { assertPrincipal, assertSeesAll, chooseSession, type SessionFlags } from './choose-session.ts'
import { writePart } from './output.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface ExportFlags extends SessionFlags {
  readonly allPrincipals?: boolean
}

/** `palimpsest lcm export`: the sessions of a principal, of all, or one, as JSON lines. */
export async function exportSessions(flags: ExportFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const sessions = await chosenSessions(opened, flags)
    for await (const line of exportStore(opened.store, sessions && { sessions }))
      await writePart(process.stdout, `${line}\n`)
    return 0
  })
}

/** Undefined for all. */
async function chosenSessions(
  opened: OpenedStore,
  { session, allPrincipals }: ExportFlags,
): Promise<Required<SessionRef>[] | undefined> {
  const { store, place, principal } = opened
  if (session !== undefined) {
    const { key } = await chooseSession(opened, session)
    return [{ principal, key }]
  }
  if (allPrincipals) {
    await assertSeesAll(opened)
    return undefined
  }
  if (isSecured(place) || (await store.list({ limit: 1 })).length > 0) await assertPrincipal(opened)
  const own: Required<SessionRef>[] = []
  for await (const { key } of listSessions(store, principal)) own.push({ principal, key })
  return own
}
