import { text } from 'node:stream/consumers'
import { newQuickJSWASMModuleFromVariant, shouldInterruptAfterDeadline } from 'quickjs-emscripten-core'
import { READY, type SandboxOrder, type SandboxReport } from './run-code.ts'

// The program of the process that code of models is run in: an interpreter of JavaScript that is compiled to WebAssembly and
// gets nothing from its host: no modules, no files, no network, no environment, no timers. Reads an order from stdin as JSON.

/** Of the interpreter: bytes of its heap and its stack, and milliseconds. */
const LIMITS = { memory: 64 << 20, stack: 512 << 10, time: 2_000 } as const

const { program, expression }: SandboxOrder = JSON.parse(await text(process.stdin))
const interpreter = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'))
process.stdout.write(`${READY}\n`)
process.stdout.write(evaluate())

function evaluate(): string {
  const write = (report: SandboxReport): string => JSON.stringify(report)
  try {
    const value: unknown = interpreter.evalCode(`${program}\n;(${expression})`, {
      shouldInterrupt: shouldInterruptAfterDeadline(Date.now() + LIMITS.time),
      memoryLimitBytes: LIMITS.memory,
      maxStackSizeBytes: LIMITS.stack,
    })
    return write({ value })
  } catch (error) {
    return write({ error: reasonOf(error) })
  }
}

/** An error of a program comes out as a copy, which is an instance of nothing. */
function reasonOf(error: unknown): string {
  const isError = typeof error === 'object' && error !== null && 'message' in error
  return String(isError ? error.message : error)
}
