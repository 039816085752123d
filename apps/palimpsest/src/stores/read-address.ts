/** Where the address of a database leads, as far as people need to know. */
export interface DatabaseAddress {
  /** A name, or the folder of a socket. Empty: what `pg` takes for it, which is `PGHOST` or this machine. */
  readonly host: string
  /** Empty: the usual one. */
  readonly port: string
  /** As it stands in the address, with its slash. Empty: the one of the user's name. */
  readonly database: string
}

const MAX_PORT = 65_535

/**
 * Reads an address by the rules of `pg`, which takes it later: settings may name host and port, and there need not be
 * a host before the slash. Undefined for what it would not take.
 */
export function readAddress(url: string): DatabaseAddress | undefined {
  if (!/^postgres(ql)?:\/\//.test(url)) return undefined
  const address = URL.parse(url) ?? URL.parse(url.replace('@/', '@-/'))
  if (address === null) return undefined
  const { host = hostOf(address), port = address.port } = Object.fromEntries(address.searchParams)
  if (host === undefined || !/^\d*$/.test(port) || Number(port) > MAX_PORT) return undefined
  return { host, port, database: address.pathname }
}

/** The folder of a socket may stand in the place of a host, percent-encoded. */
function hostOf({ hostname }: URL): string | undefined {
  try {
    return hostname === '-' ? '' : decodeURIComponent(hostname)
  } catch {
    return undefined
  }
}
