// telemetry.mjs
import { metrics, trace } from '@opentelemetry/api'
import { ConsoleMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

const spans = new SimpleSpanProcessor(new ConsoleSpanExporter())
const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter(), exportIntervalMillis: 500 })
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [spans] }))
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
