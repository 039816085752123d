export { createMem0Memory } from './exchange/memory/mem0-memory.ts'
export { DEFAULT_MEMORY_TIMEOUT_MS, type MemoryServiceOptions } from './exchange/memory/memory-service.ts'
export { createSupermemoryMemory } from './exchange/memory/supermemory-memory.ts'
export { createZepMemory } from './exchange/memory/zep-memory.ts'
