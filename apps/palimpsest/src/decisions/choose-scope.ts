import { printable } from '../lcm/printable.ts'
import type { OpenedStore, StoreFlags } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'

export interface ScopeFlags extends StoreFlags {
  readonly project?: string
  readonly session?: string
}

const NAMED_SCOPES = 10

function namedScope({ project, session }: ScopeFlags): string | undefined {
  if (project !== undefined) return `project:${project}`
  return session === undefined ? undefined : `session:${session}`
}

export async function chooseScopes(opened: OpenedStore, flags: ScopeFlags): Promise<readonly string[]> {
  const known = (await opened.store.scopes(opened.principal)).filter((scope) =>
    /^(?:session|project):/.test(scope),
  )
  const named = namedScope(flags)
  if (named === undefined) return known
  if (known.includes(named)) return [named]
  throw new UsageError(
    `${opened.place.name} has no decisions of ${printable(named)}; ${describe(opened, known)}`,
  )
}

export async function chooseScope(opened: OpenedStore, flags: ScopeFlags): Promise<string> {
  const [first, ...others] = await chooseScopes(opened, flags)
  if (first !== undefined && others.length === 0) return first
  if (first === undefined) throw new UsageError(`${opened.place.name}: ${describe(opened, [])}`)
  throw new UsageError(`name the scope with --project or --session; ${describe(opened, [first, ...others])}`)
}

function describe({ principal }: OpenedStore, scopes: readonly string[]): string {
  if (scopes.length === 0) return `the principal "${printable(principal)}" has no decisions yet`
  const shown = scopes.slice(0, NAMED_SCOPES).map(printable)
  return `there are: ${[...shown, ...(scopes.length > shown.length ? ['…'] : [])].join(', ')}`
}
