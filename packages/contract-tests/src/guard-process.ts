/** The case that runs now. */
let running: string | undefined

/** Runs a case of an engine. An engine that ends the process meanwhile does not end it well, and the case is named. */
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
