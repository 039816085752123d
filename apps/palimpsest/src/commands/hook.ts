import { Argument, Command } from 'commander'
import type { HookAgent } from '../hook/run-hook.ts'

export function hookCommand(): Command {
  return new Command('hook')
    .description("Called by a coding agent: restores facts that the agent's own compaction lost.")
    .addArgument(new Argument('<agent>', 'the coding agent').choices(['claude-code', 'codex']))
    .action(async (agent: HookAgent) => {
      const { runHook } = await import('../hook/run-hook.ts')
      process.stdout.write(await runHook(agent, process.stdin, process.env))
    })
}
