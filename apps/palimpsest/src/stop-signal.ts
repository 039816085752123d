/** The first signal that asks the process to stop. A second one ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
