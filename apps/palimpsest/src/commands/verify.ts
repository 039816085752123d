import { Command } from 'commander'
import type { VerifyStoresFlags } from '../verify/verify-stores.ts'
import { CONFIG_OPTION, run } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest verify --store sessions.db
  $ PALIMPSEST_STORE_URL=postgres://… palimpsest verify

Proves the sessions with what the gateway knows of its clients, and the engines' stores if they exist: sessions.db.decisions,
sessions.db.decisions.lcm and sessions.db.lcm. Stop the service first, or verify a copy.
Exit codes: 0 all well, 1 a row is not as it was stored, 2 the call or the store was wrong.`

/** `palimpsest verify`, and `palimpsest serve verify`. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Proves all stores of a service: every row is as it was stored, and the stores agree with each other.',
    )
    .option(
      '--store <file or address>',
      'the store of the service (default: serve.store or store.url of the configuration)',
    )
    .option(...CONFIG_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      // Below another command that has the same options, they are that one's.
      run(async (_: VerifyStoresFlags, command: Command) =>
        (await import('../verify/verify-stores.ts')).verifyStores(command.optsWithGlobals()),
      ),
    )
}
