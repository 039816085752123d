import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findServer } from './find-server.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A socket that says the address of the server that all files of tests share, once it runs. */
    readonly sharedServer: string
  }
}

/** The global setup of the unit tests: one server for all files, started when the first of them asks for it. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-shared-'))
  let cluster: Promise<Cluster> | undefined
  const guide = createServer(async (socket) => {
    cluster ??= startFound()
    const answer = await cluster.then(
      ({ url }) => ({ url }),
      (error: unknown) => ({ error: String(error) }),
    )
    socket.end(JSON.stringify(answer))
  })
  const path = join(folder, 'socket')
  guide.listen(path)
  project.provide('sharedServer', path)
  return async () => {
    guide.close()
    await (await cluster?.catch(() => undefined))?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startFound(): Promise<Cluster> {
  const bin = findServer()
  if (bin === undefined) throw new Error('there are no programs of a server')
  return startCluster(bin)
}
