-- What ends within the next 90 days, and where is it?
--
-- support_end_date | product | cycle | documents | teams
-- 2026-04-30       | nodejs  | 20    |         1 | payments
SELECT support_end_date, product, cycle, count(DISTINCT file) AS documents, string_agg(DISTINCT team, ', ' ORDER BY team) AS teams
FROM findings JOIN last_day USING (day)
WHERE support_end_date BETWEEN day AND day + 90
GROUP BY support_end_date, product, cycle
ORDER BY support_end_date, product, cycle;
