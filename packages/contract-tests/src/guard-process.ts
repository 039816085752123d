let running: string | undefined

/** Names the case if an engine ends the process during it. */
export async function guardProcess<T>(name: string, run: () => Promise<T>): Promise<T> {
  if (process.listenerCount('exit', tellWhere) === 0) process.once('exit', tellWhere)
  running = name
  try {
    return await run()
  } finally {
    running = undefined
  }
}

function tellWhere(): void {
  if (running === undefined) return
  process.stderr.write(`the engine ended the process in "${running}"\n`)
  process.exitCode = 1
}
