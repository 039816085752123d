import type { TestProject } from 'vitest/node'
import { shareValue } from '../../../../scripts/share-value.ts'
import { findServer } from './find-server.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket of the address of the server that all files of tests share. */
    readonly sharedServer: string
  }
}

/** The global setup of the unit tests: one server for all files, started when the first of them asks for it. */
export default function setup(project: TestProject): () => Promise<void> {
  let cluster: Promise<Cluster> | undefined
  const { socket, close } = shareValue(async () => {
    cluster ??= startFound()
    return (await cluster).url
  })
  project.provide('sharedServer', socket)
  return async () => {
    close()
    await (await cluster?.catch(() => undefined))?.remove()
  }
}

async function startFound(): Promise<Cluster> {
  const bin = findServer()
  if (bin === undefined) throw new Error('there are no programs of a server')
  return startCluster(bin)
}
