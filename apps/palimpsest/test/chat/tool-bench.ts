import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Confirm, Confirmation } from '../../src/chat/chat-agent.ts'
import { createTools } from '../../src/chat/tools/create-tools.ts'
import type { ToolAnswer } from '../../src/chat/tools/tool.ts'
import { openWorkspace } from '../../src/chat/tools/workspace.ts'

interface ToolBench {
  /** The workspace: a folder inside of `around`, with nothing else in it than the files given. */
  readonly folder: string
  /** The folder around the workspace, which tools must not reach. */
  readonly around: string
  /** What the person was asked. */
  readonly asked: Confirmation[]
  /** As when the chat ends. */
  readonly close: () => void
  use(name: string, args: unknown, signal?: AbortSignal): Promise<ToolAnswer>
}

interface BenchOptions {
  readonly confirm?: Confirm
  /** In tokens. */
  readonly window?: number
  readonly environment?: NodeJS.ProcessEnv
}

/** The tools of a chat on a workspace with these files. It is gone when the test is over. */
export async function toolBench(
  files: Readonly<Record<string, string | Buffer>> = {},
  { confirm = async () => 'yes', window = 128_000, environment = process.env }: BenchOptions = {},
): Promise<ToolBench> {
  const around = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-tools-')))
  const folder = join(around, 'workspace')
  await mkdir(folder)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const asked: Confirmation[] = []
  const ask: Confirm = (question, signal) => {
    asked.push(question)
    return confirm(question, signal)
  }
  const tools = createTools({ workspace: await openWorkspace(folder), confirm: ask, window, environment })
  onTestFinished(async () => {
    tools.close()
    await rm(around, { recursive: true, force: true })
  })
  return {
    folder,
    around,
    asked,
    close: tools.close,
    async use(name, args, signal = new AbortController().signal) {
      const tool = tools.all.find(({ schema }) => schema.function.name === name)
      if (tool === undefined) throw new Error(`there is no tool ${name}`)
      return tool.run(args, signal)
    },
  }
}
