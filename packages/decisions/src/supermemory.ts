export {
  createSupermemoryMemory,
  DEFAULT_MEMORY_TIMEOUT_MS,
  type SupermemoryClient,
  type SupermemoryOptions,
} from './exchange/memory/supermemory-memory.ts'
