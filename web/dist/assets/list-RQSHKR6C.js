import{a,b,c}from"./chunk-3O42S5SC.js";import"./chunk-V2RPIFMG.js";import"./chunk-D7OEE6YY.js";import"./chunk-SAZCUBKZ.js";export{a as EventList,c as FrontEvents,b as useEvents};
