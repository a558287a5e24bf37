import type { DashboardParts, DashboardTask } from '#contract/practitioners/dashboard.ts'
import type { Db } from '../db/connection.ts'

/** Whose dashboard it is. */
export type DashboardOwner = {
  id: number
  accountId: string
  timezone: string
  /** The months that it looks back on in that zone, `2026-06`, this one last. */
  months: readonly string[]
}

type Part<K extends keyof DashboardParts> = (db: Db, owner: DashboardOwner) => Promise<DashboardParts[K]>

/** A module's part of a practitioner's dashboard: parts of the overview by name, and tasks. */
export type DashboardContribution<K extends keyof DashboardParts = never> = {
  parts?: Pick<AllDashboardParts, K>
  tasks?(db: Db, owner: DashboardOwner): Promise<DashboardTask[]>
}

/** Every part of the overview. */
export type AllDashboardParts = { [K in keyof DashboardParts]: Part<K> }
