import { Argument, Command } from 'commander'

export function hookCommand(): Command {
  return new Command('hook')
    .description("Called by a coding agent: restores facts that the agent's own compaction lost.")
    .addArgument(new Argument('<agent>', 'the coding agent').choices(['claude-code']))
    .action(async () => {
      const { runHook } = await import('../hook/run-hook.ts')
      process.stdout.write(await runHook(process.stdin, process.env))
    })
}
