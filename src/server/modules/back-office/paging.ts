const perPage = 25

export const rangeOf = (page: number, limit = perPage) => ({ limit, offset: (page - 1) * limit })

export const metaOf = (total: number, page: number, limit = perPage) => ({ total, page, per_page: limit })

export const cappedMetaOf = (
  { total, isCapped }: { total: number; isCapped: boolean },
  page: number,
  limit = perPage,
) => ({
  ...metaOf(total, page, limit),
  is_capped: isCapped,
})
