// Loaded before the program (`node --import`): writes down, once a second, how long its event loop kept others waiting.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
setInterval(() => {
  const [p99, max] = [delay.percentile(99), delay.max].map((ns) => Math.round(ns / 1e6))
  appendFileSync(process.env.LOOP_LOG, `${JSON.stringify([p99, max])}\n`)
  delay.reset()
}, 1000).unref()
