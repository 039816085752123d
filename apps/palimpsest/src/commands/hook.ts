import { Argument, Command, CommanderError } from 'commander'
import type { HookAgent } from '../hook/run-hook.ts'

const AGENTS = ['claude-code', 'codex'] as const satisfies readonly HookAgent[]

export function hookCommand(): Command {
  return new Command('hook')
    .exitOverride((error) => {
      if (error.code !== 'commander.missingArgument') throw error
      throw new CommanderError(error.exitCode, error.code, `${error.message} (${AGENTS.join(', ')})`)
    })
    .description("Called by a coding agent: restores facts that the agent's own compaction lost.")
    .addArgument(new Argument('<agent>', 'the coding agent').choices(AGENTS))
    .action(async (agent: HookAgent) => {
      const { runHook } = await import('../hook/run-hook.ts')
      process.stdout.write(await runHook(agent, process.stdin, process.env))
    })
}
