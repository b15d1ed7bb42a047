import { cpus } from 'node:os'
import type { SysInfo } from '../../../shared/api/info'

/** Measures how busy each processor was since the last call; at the first call, since the machine started. */
export function createCpuMeter() {
  let before = new Map<number, { idle: number; total: number }>()
  return (): SysInfo['system']['cpus'] => {
    const now = cpus().map(({ model, speed, times }, index) => {
      const total = Object.values(times).reduce((sum, time) => sum + time, 0)
      const last = before.get(index) ?? { idle: 0, total: 0 }
      const span = total - last.total
      const percent = span > 0 ? 100 * (1 - (times.idle - last.idle) / span) : 0
      return { index, idle: times.idle, total, percent, model, speed }
    })
    before = new Map(now.map(({ index, idle, total }) => [index, { idle, total }]))
    return {
      global: rounded(now.reduce((sum, { percent }) => sum + percent, 0) / Math.max(1, now.length)),
      cpus: now.map(({ index, percent, model, speed }) => ({
        name: `cpu${index}`,
        vendor_id: '',
        usage: { percent: rounded(percent) },
        brand: model,
        frequency: speed,
      })),
    }
  }
}

const rounded = (percent: number) => Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10
