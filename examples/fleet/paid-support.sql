-- Which software that has reached its end of life has paid support, and until when?
--
-- product | cycle | paid_support_until | documents | teams
-- nodejs  | 16    | no end stated      |         1 | payments
SELECT product, cycle, coalesce(CAST(paid_support_until AS VARCHAR), 'no end stated') AS paid_support_until,
  count(DISTINCT file) AS documents, string_agg(DISTINCT team, ', ' ORDER BY team) AS teams
FROM findings f JOIN last_day USING (day) JOIN cycles c USING (product, cycle)
WHERE f.outcome = 'fail' AND f.condition = 'eol' AND day BETWEEN c.valid_from AND c.valid_until
  AND paid_support AND coalesce(c.paid_support_until >= day, true)
GROUP BY product, cycle, c.paid_support_until
ORDER BY documents DESC, product, cycle;
