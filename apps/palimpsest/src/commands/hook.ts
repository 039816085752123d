import { Argument, Command } from 'commander'

const AGENTS = ['claude-code', 'codex'] as const

export type HookAgent = (typeof AGENTS)[number]

export function hookCommand(): Command {
  return new Command('hook')
    .exitOverride()
    .description("Called by a coding agent: restores facts that the agent's own compaction lost.")
    .addArgument(new Argument('<agent>', 'the coding agent').choices(AGENTS))
    .action(async () => {
      const { runHook } = await import('../hook/run-hook.ts')
      process.stdout.write(await runHook(process.stdin, process.env))
    })
}
